package harness.conversation;

import harness.model.Image;
import harness.model.Message;
import harness.model.Part;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The conversation as a model sees it: the fold of its events into messages, in which every call is
 * followed by its result. Earlier messages never change, but where a Turn begins anew or a summary
 * takes their place. Not safe for use by several threads.
 */
final class Transcript {
  private final Map<String, Submission> submissions = new HashMap<>();
  private final List<Message> messages = new ArrayList<>();
  private int opening;
  private boolean summarised;
  private Optional<Context.Measured> measured = Optional.empty();
  private List<Part> reply = new ArrayList<>();
  private List<Message.Result> results = new ArrayList<>();
  private final Map<String, String> names = new HashMap<>();
  private final Map<String, String> seen = new HashMap<>();
  private final Map<String, Part.Call> open = new LinkedHashMap<>();
  private final Set<String> riders = new HashSet<>();
  private final List<Message> ridden = new ArrayList<>();
  private long imageBytes;
  private int nudges;
  private int rerolls;
  private int pauses;
  private Repeats repeats = Repeats.NONE;

  Transcript() {}

  /** What was folded so far, to go on with apart from the other. */
  private Transcript(Transcript other) {
    submissions.putAll(other.submissions);
    messages.addAll(other.messages);
    opening = other.opening;
    summarised = other.summarised;
    measured = other.measured;
    reply.addAll(other.reply);
    results.addAll(other.results);
    names.putAll(other.names);
    seen.putAll(other.seen);
    open.putAll(other.open);
    riders.addAll(other.riders);
    ridden.addAll(other.ridden);
    imageBytes = other.imageBytes;
    nudges = other.nudges;
    rerolls = other.rerolls;
    pauses = other.pauses;
    repeats = other.repeats;
  }

  Transcript copy() {
    return new Transcript(this);
  }

  void apply(Event event) {
    switch (event) {
      case Event.SubmissionAdmitted e -> submissions.put(e.submissionId(), e.submission());
      case Event.PromptAppended e -> {
        close();
        List<String> blocks = new ArrayList<>();
        blocks.add(submission(e.submissionId()).frame().prompt());
        e.briefing().ifPresent(blocks::add);
        Message prompt = new Message.User(blocks);
        if (riders.contains(e.submissionId())) {
          ridden.add(prompt);
        } else {
          opening = messages.size();
          ridden.clear();
          nudges = 0;
          rerolls = 0;
          pauses = 0;
          repeats = Repeats.NONE;
        }
        messages.add(prompt);
        submissions.remove(e.submissionId());
      }
      case Event.MessageJoined e -> riders.add(e.submissionId());
      case Event.ReplyAppended e -> {
        close();
        reply.addAll(e.parts());
        Context.Measured.of(e.usage(), messages.size() + 1)
            .ifPresent(one -> measured = Optional.of(one));
      }
      case Event.ToolCalled e -> {
        if (!results.isEmpty()) {
          close();
        }
        names.put(e.callId(), e.name());
        Part.Call call = new Part.Call(e.callId(), e.name(), e.input());
        reply.add(call);
        open.put(e.callId(), call);
      }
      case Event.ToolReturned e -> {
        Optional.ofNullable(open.remove(e.callId()))
            .ifPresent(call -> repeats = repeats.plus(call, e.text()));
        results.add(
            new Message.Result(
                e.callId(),
                names.getOrDefault(e.callId(), ""),
                e.outcome() != Event.Outcome.OK,
                e.text(),
                e.images()));
        seen.putAll(e.seen());
        imageBytes += bytes(e.images());
      }
      case Event.Nudged e -> {
        close();
        messages.add(new Message.User(List.of(e.text())));
        nudges = e.attempt();
      }
      case Event.Rerolled e -> {
        beginAnew();
        nudges = 0;
        rerolls = e.attempt();
        repeats = Repeats.NONE;
      }
      case Event.Compacted e -> compact(e);
      case Event.ProposalResolved e -> seen.putAll(e.seen());
      case Event.SubmissionSettled e -> {
        submissions.remove(e.submissionId());
        riders.remove(e.submissionId());
      }
      case Event.TurnResumed _ -> pauses++;
      case Event.TurnStarted _,
          Event.AwaitingAnswer _,
          Event.Answered _,
          Event.Proposed _,
          Event.MemoryLimit _,
          Event.Picked _ -> {}
    }
  }

  /** The messages so far. */
  List<Message> messages() {
    close();
    return List.copyOf(messages);
  }

  /** The same with what is known of their length. */
  Context context() {
    return new Context(messages(), opening, summarised, measured);
  }

  /** The calls that have no result yet, in order. */
  List<Part.Call> openCalls() {
    return List.copyOf(open.values());
  }

  /** How often the model was asked for a pick in the try at the Turn that goes on. */
  int nudges() {
    return nudges;
  }

  /** How often the Turn was paused, and went on. */
  int pauses() {
    return pauses;
  }

  /** How often the Turn made a call last, in a row and with the same result. */
  int repeats(Part.Call call) {
    return repeats.of(call);
  }

  /** How often the Turn began anew. */
  int rerolls() {
    return rerolls;
  }

  /** The version of each file that the conversation last read or wrote, by path. */
  Map<String, String> seen() {
    return Collections.unmodifiableMap(seen);
  }

  /** How many bytes of Base64 its pictures have together. */
  long imageBytes() {
    return imageBytes;
  }

  /** About how many bytes of memory it takes; rather more than less. */
  long weight() {
    return new Weight()
        .submissions(submissions.values())
        .messages(messages)
        .parts(reply)
        .results(results)
        .texts(names)
        .texts(seen)
        .bytes();
  }

  private Submission submission(String id) {
    Submission found = submissions.get(id);
    if (found == null) {
      throw new IllegalStateException("no Submission " + id + " was admitted before its prompt");
    }
    return found;
  }

  /**
   * Back to the prompt and those that rode with it: nothing else was said or read, as far as the
   * model knows.
   */
  private void beginAnew() {
    close();
    Message prompt = messages.get(opening);
    messages.clear();
    messages.add(prompt);
    messages.addAll(ridden);
    opening = 0;
    summarised = false;
    measured = Optional.empty();
    seen.clear();
    imageBytes = 0;
  }

  /**
   * A summary in the place of the older messages. The prompt that is being answered stays word for
   * word; which versions of files are known is not forgotten.
   */
  private void compact(Event.Compacted e) {
    close();
    int boundary = messages.size() - e.kept();
    List<Message> compacted = new ArrayList<>();
    compacted.add(new Message.User(List.of(e.summary())));
    if (opening < boundary) {
      compacted.add(messages.get(opening));
    }
    opening = Math.max(1, opening - boundary + 1);
    compacted.addAll(messages.subList(boundary, messages.size()));
    messages.clear();
    messages.addAll(compacted);
    summarised = true;
    measured = Optional.of(new Context.Measured(e.tokensAfter(), messages.size()));
    imageBytes = messages.stream().mapToLong(Transcript::imageBytes).sum();
  }

  private static long imageBytes(Message message) {
    return switch (message) {
      case Message.User _, Message.Assistant _ -> 0;
      case Message.Results results ->
          results.results().stream().mapToLong(result -> bytes(result.images())).sum();
    };
  }

  private static long bytes(List<Image> images) {
    return images.stream().mapToLong(image -> image.data().length()).sum();
  }

  private void close() {
    if (!reply.isEmpty()) {
      messages.add(new Message.Assistant(reply));
      reply = new ArrayList<>();
    }
    if (!results.isEmpty()) {
      messages.add(new Message.Results(results));
      results = new ArrayList<>();
    }
  }
}
