package harness.conversation;

import harness.agent.Instance;
import harness.author.Actor;
import harness.author.Provenance;
import harness.model.Message;
import harness.model.Part;
import harness.model.Sink;
import harness.model.Usage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * One attempt at a Turn: the token that every append and every tool start presents. Once it was
 * ended it can neither write nor start anything again.
 */
public final class Attempt {
  private final Conversation conversation;
  private final Submission submission;
  private final Actor author;
  private final Actor.Agent actor;
  private final Provenance provenance;
  private final Optional<Event.Answered> answer;
  private final Transcript transcript;
  private final StringBuilder said = new StringBuilder();
  private final AtomicBoolean ended = new AtomicBoolean();
  private boolean hushed;
  private boolean missed;
  private int toolsRunning;
  private final Thread thread = Thread.currentThread();
  private volatile Usage usage;

  /**
   * @param segment whom it is for, and since when
   */
  Attempt(
      Conversation conversation, Submission submission, Segment segment, Transcript transcript) {
    this.conversation = conversation;
    this.submission = submission;
    this.author = segment.author();
    this.actor = segment.actor();
    this.provenance = segment.provenance();
    this.answer = segment.answer();
    this.usage = segment.used();
    this.transcript = transcript;
  }

  /**
   * A part of a Turn without a pause in it.
   *
   * @param author whose message or answer it was started by
   * @param actor the agent, acting for that author where it is a person or their client
   * @param answer what the Turn waited for before
   * @param used what the segments before it used
   */
  record Segment(
      Actor author,
      Actor.Agent actor,
      Provenance provenance,
      Optional<Event.Answered> answer,
      Usage used) {}

  public Instance instance() {
    return conversation.instance();
  }

  public Submission submission() {
    return submission;
  }

  /** The agent, acting for the author of this Turn. */
  public Actor.Agent actor() {
    return actor;
  }

  /** Whose message or answer this segment of the Turn was started by. */
  Actor author() {
    return author;
  }

  /** Whose word and deed it is what the agent says and does. */
  public Provenance provenance() {
    return provenance;
  }

  /** What was answered to the call that the Turn waited for; empty in its first segment. */
  public Optional<Event.Answered> answer() {
    return answer;
  }

  /** How often the model was asked for a pick in the try at the Turn that goes on. */
  public int nudges() {
    return transcript.nudges();
  }

  /** How often the Turn began anew. */
  public int rerolls() {
    return transcript.rerolls();
  }

  /** How often the Turn was paused before. */
  public int pauses() {
    return transcript.pauses();
  }

  /** How often the Turn made a call last, in a row and with the same result. */
  public int repeats(Part.Call call) {
    return transcript.repeats(call);
  }

  /** How many proposals of the conversation wait for an answer. */
  public int openProposals() {
    return conversation.proposals();
  }

  /** The calls that have no result yet, in order. */
  public List<Part.Call> openCalls() {
    return transcript.openCalls();
  }

  /**
   * Takes in what waits and may ride with this Turn, before the model is asked.
   *
   * @throws EndedException if the attempt was ended; nothing rides
   */
  public void takeRiders() throws EndedException {
    conversation.join(this);
  }

  /** Lets the messages of a Submission that came after it began be known. */
  void knows(Submission rider) {
    transcript.apply(new Event.SubmissionAdmitted(rider));
  }

  /** What was said so far, as the model sees it. */
  public List<Message> messages() {
    return transcript.messages();
  }

  /** The same with what is known of their length. */
  public Context context() {
    return transcript.context();
  }

  /** The version of each file that the conversation last read or wrote, by path; a view. */
  public Map<String, String> seen() {
    return transcript.seen();
  }

  /** How many bytes of Base64 the pictures of the conversation have together. */
  public long imageBytes() {
    return transcript.imageBytes();
  }

  /** Tells readers what a call puts out while it runs. */
  public void output(String callId, String text) {
    if (!ended.get()) {
      conversation.tellOutput(submission.submissionId(), callId, text);
    }
  }

  /** How many events the conversation has: a number that no call of it had before. */
  public long position() {
    return conversation.events();
  }

  /**
   * Appends what happened; it is on stable storage when this returns.
   *
   * @param events none where there is nothing to record
   * @throws EndedException if the attempt was ended; nothing is appended
   */
  public void append(List<Event> events) throws EndedException {
    conversation.append(this, events);
    tell(events);
  }

  /** Takes in events of its own that are on stable storage. */
  void tell(List<Event> events) {
    events.forEach(transcript::apply);
  }

  /**
   * Runs a tool; the next Turn waits for its end.
   *
   * @throws EndedException if the attempt was ended; the tool is not started
   */
  public <T> T runTool(Supplier<T> tool) throws EndedException {
    conversation.beginTool(this);
    try {
      // It may have been ended, and that answered, while this thread got no processor.
      requireGoing();
      return tool.get();
    } finally {
      conversation.endTool(this);
    }
  }

  /** Where the model streams its reply to; what it says after the end of the attempt is dropped. */
  public Sink sink() {
    return new Sink() {
      @Override
      public void text(String delta) {
        if (hear(delta)) {
          conversation.tellDelta(submission.submissionId(), "text", delta);
        }
      }

      @Override
      public void thinking(String delta) {
        if (!ended.get()) {
          conversation.tellDelta(submission.submissionId(), "thinking", delta);
        }
      }
    };
  }

  /** Counts what a call to the model used, by the thread of the Turn alone. */
  public void used(Usage more) {
    usage = usage.plus(more);
  }

  /** What it has used so far. */
  public Usage usage() {
    return usage;
  }

  /** Whether it was ended by someone else. */
  public boolean ended() {
    return ended.get();
  }

  void requireGoing() throws EndedException {
    if (ended.get()) {
      throw new EndedException(submission.submissionId());
    }
  }

  private boolean hear(String delta) {
    synchronized (said) {
      missed |= hushed;
      if (missed || ended.get()) {
        return false;
      }
      said.append(delta);
      return true;
    }
  }

  /**
   * Before the model is asked again: what it streamed of its last reply is in the events, or is
   * said anew.
   *
   * @throws EndedException if the attempt was ended; the model is not to be asked
   */
  public void nextReply() throws EndedException {
    requireGoing();
    forget();
  }

  void forget() {
    synchronized (said) {
      said.setLength(0);
      missed = false;
    }
  }

  /**
   * Whether no more is heard of the reply: what is recorded of it is all that readers were told. Of
   * a reply that missed a piece meanwhile no later one is heard.
   */
  void hush(boolean on) {
    synchronized (said) {
      hushed = on;
    }
  }

  /** Whether readers were told something of a reply that is not whole. */
  public boolean told() {
    return !partial().isEmpty();
  }

  /** What the model had said of a reply that is not whole. */
  String partial() {
    synchronized (said) {
      return said.toString();
    }
  }

  /** Ends it from outside. Under the conversation's lock. */
  void end() {
    ended.set(true);
    thread.interrupt();
  }

  /** It came to its own end. Under the conversation's lock. */
  void finish() {
    ended.set(true);
  }

  /** Under the conversation's lock. */
  void changeToolsRunning(int by) {
    toolsRunning += by;
  }

  /** Under the conversation's lock: whether the next Turn may start as far as this one goes. */
  boolean over() {
    return ended.get() && toolsRunning == 0;
  }
}
