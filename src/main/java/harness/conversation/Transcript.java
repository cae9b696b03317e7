package harness.conversation;

import harness.model.Message;
import harness.model.Part;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The conversation as a model sees it: the fold of its events into messages, in which every call is
 * followed by its result. Earlier messages never change, but where a Turn begins anew. Not safe for
 * use by several threads.
 */
final class Transcript {
  private final Map<String, Submission> submissions = new HashMap<>();
  private final List<Message> messages = new ArrayList<>();
  private List<Message> opening = List.of();
  private List<Part> reply = new ArrayList<>();
  private List<Message.Result> results = new ArrayList<>();
  private final Map<String, String> names = new HashMap<>();
  private final Map<String, String> seen = new HashMap<>();
  private long imageBytes;

  void apply(Event event) {
    switch (event) {
      case Event.SubmissionAdmitted e -> submissions.put(e.submissionId(), e.submission());
      case Event.PromptAppended e -> {
        close();
        List<String> blocks = new ArrayList<>();
        blocks.add(submission(e.submissionId()).frame().prompt());
        e.briefing().ifPresent(blocks::add);
        opening = List.of(new Message.User(blocks));
        messages.addAll(opening);
        submissions.remove(e.submissionId());
      }
      case Event.ReplyAppended e -> {
        close();
        reply.addAll(e.parts());
      }
      case Event.ToolCalled e -> {
        if (!results.isEmpty()) {
          close();
        }
        names.put(e.callId(), e.name());
        reply.add(new Part.Call(e.callId(), e.name(), e.input()));
      }
      case Event.ToolReturned e -> {
        results.add(
            new Message.Result(
                e.callId(),
                names.getOrDefault(e.callId(), ""),
                e.outcome() != Event.Outcome.OK,
                e.text(),
                e.images()));
        seen.putAll(e.seen());
        e.images().forEach(image -> imageBytes += image.data().length());
      }
      case Event.Nudged e -> {
        close();
        messages.add(new Message.User(List.of(e.text())));
      }
      case Event.Rerolled _ -> beginAnew();
      case Event.SubmissionSettled e -> submissions.remove(e.submissionId());
      case Event.TurnStarted _, Event.Picked _ -> {}
    }
  }

  /** The messages so far. */
  List<Message> messages() {
    close();
    return List.copyOf(messages);
  }

  /** The version of each file that the conversation last read or wrote, by path. */
  Map<String, String> seen() {
    return Collections.unmodifiableMap(seen);
  }

  /** How many bytes of Base64 its pictures have together. */
  long imageBytes() {
    return imageBytes;
  }

  private Submission submission(String id) {
    Submission found = submissions.get(id);
    if (found == null) {
      throw new IllegalStateException("no Submission " + id + " was admitted before its prompt");
    }
    return found;
  }

  /** Back to the prompt: nothing else was said or read, as far as the model knows. */
  private void beginAnew() {
    close();
    messages.clear();
    messages.addAll(opening);
    seen.clear();
    imageBytes = 0;
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
