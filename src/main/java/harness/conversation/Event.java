package harness.conversation;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.JsonNode;
import harness.author.Actor;
import harness.author.Decision;
import harness.author.Provenance;
import harness.menu.Pick;
import harness.model.Image;
import harness.model.Part;
import harness.model.Usage;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A fact of a conversation. It changes by these alone, and what the wire shows is made from them.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Event.SubmissionAdmitted.class, name = "submission-admitted"),
  @JsonSubTypes.Type(value = Event.TurnStarted.class, name = "turn-started"),
  @JsonSubTypes.Type(value = Event.TurnResumed.class, name = "turn-resumed"),
  @JsonSubTypes.Type(value = Event.MessageJoined.class, name = "message-joined"),
  @JsonSubTypes.Type(value = Event.PromptAppended.class, name = "prompt-appended"),
  @JsonSubTypes.Type(value = Event.ReplyAppended.class, name = "reply-appended"),
  @JsonSubTypes.Type(value = Event.ToolCalled.class, name = "tool-called"),
  @JsonSubTypes.Type(value = Event.ToolReturned.class, name = "tool-returned"),
  @JsonSubTypes.Type(value = Event.AwaitingAnswer.class, name = "awaiting-answer"),
  @JsonSubTypes.Type(value = Event.Answered.class, name = "answered"),
  @JsonSubTypes.Type(value = Event.Proposed.class, name = "proposed"),
  @JsonSubTypes.Type(value = Event.ProposalResolved.class, name = "proposal-resolved"),
  @JsonSubTypes.Type(value = Event.MemoryLimit.class, name = "memory-limit"),
  @JsonSubTypes.Type(value = Event.Picked.class, name = "picked"),
  @JsonSubTypes.Type(value = Event.Nudged.class, name = "nudged"),
  @JsonSubTypes.Type(value = Event.Rerolled.class, name = "rerolled"),
  @JsonSubTypes.Type(value = Event.Compacted.class, name = "compacted"),
  @JsonSubTypes.Type(value = Event.SubmissionSettled.class, name = "submission-settled")
})
public sealed interface Event {
  /** The Submission that it belongs to. */
  String submissionId();

  /**
   * A Submission was accepted and waits its turn.
   *
   * @param heir whom its address belonged to before this conversation of it
   */
  record SubmissionAdmitted(Submission submission, Optional<Actor> heir) implements Event {
    /** To a conversation that inherits no owner. */
    public SubmissionAdmitted(Submission submission) {
      this(submission, Optional.empty());
    }

    @Override
    public String submissionId() {
      return submission.submissionId();
    }
  }

  /**
   * A Turn began.
   *
   * @param admitted the sequence of the event that holds the Submission
   * @param attempt from 1
   * @param actor the agent, acting for the Submission's author where that is a person or their
   *     client
   */
  record TurnStarted(String submissionId, long admitted, int attempt, Actor.Agent actor)
      implements Event {}

  /**
   * A Turn that had paused went on: its next segment began.
   *
   * @param admitted the sequence of the event that holds the Submission
   * @param attempt which segment it is, from 2
   * @param author whom the segment is for: who answered
   * @param actor the agent, acting for that author where it is a person or their client
   */
  record TurnResumed(
      String submissionId, long admitted, int attempt, Actor author, Actor.Agent actor)
      implements Event {}

  /**
   * A queued Submission rides with the Turn that runs; its prompt follows in the same append.
   *
   * @param rides the Submission that the Turn was started by
   */
  record MessageJoined(String submissionId, String rides) implements Event {}

  /**
   * The Submission's prompt became a message of the conversation.
   *
   * @param admitted the sequence of the event that holds the prompt
   * @param briefing the Harness's own block behind the prompt, for the model alone
   * @param provenance whose word it is
   */
  record PromptAppended(
      String submissionId,
      String messageId,
      long admitted,
      Optional<String> briefing,
      @JsonSetter(nulls = Nulls.AS_EMPTY) Provenance provenance)
      implements Event {}

  /**
   * The model said something.
   *
   * @param parts text and thinking; its calls are {@link ToolCalled} events of the same append
   * @param cut whether it was ended before the model was done
   * @param actor who said it
   * @param provenance whose word it is: that of whom the Turn is for
   */
  record ReplyAppended(
      String submissionId,
      String messageId,
      List<Part> parts,
      boolean cut,
      Usage usage,
      Actor.Agent actor,
      @JsonSetter(nulls = Nulls.AS_EMPTY) Provenance provenance)
      implements Event {
    public ReplyAppended {
      parts = List.copyOf(parts);
    }
  }

  /** The model called a tool; what is not followed by a {@link ToolReturned} is still open. */
  record ToolCalled(
      String submissionId, String callId, String name, JsonNode input, Actor.Agent actor)
      implements Event {}

  /**
   * A call has its result.
   *
   * @param text what the model reads
   * @param millis how long it ran, in milliseconds
   * @param bytes how many bytes the whole result had
   * @param truncated whether {@code text} is a part of it
   * @param provenance whose deed it is: that of whom the Turn is for
   * @param images pictures beside the text
   * @param seen the versions of files, by path, that the conversation knows by this call
   */
  record ToolReturned(
      String submissionId,
      String callId,
      Outcome outcome,
      String text,
      long millis,
      long bytes,
      boolean truncated,
      Actor.Agent actor,
      @JsonSetter(nulls = Nulls.AS_EMPTY) Provenance provenance,
      @JsonSetter(nulls = Nulls.AS_EMPTY) List<Image> images,
      @JsonSetter(nulls = Nulls.AS_EMPTY) Map<String, String> seen)
      implements Event {
    public ToolReturned {
      images = List.copyOf(images);
      seen = Map.copyOf(seen);
    }

    /** A result that is a text alone. */
    public ToolReturned(
        String submissionId,
        String callId,
        Outcome outcome,
        String text,
        long millis,
        long bytes,
        boolean truncated,
        Actor.Agent actor,
        Provenance provenance) {
      this(
          submissionId,
          callId,
          outcome,
          text,
          millis,
          bytes,
          truncated,
          actor,
          provenance,
          List.of(),
          Map.of());
    }
  }

  /**
   * A call waits for an answer, and the Turn pauses until there is one.
   *
   * @param tool what is called
   * @param usage what the Turn has used so far
   */
  record AwaitingAnswer(
      String submissionId,
      String callId,
      String tool,
      JsonNode input,
      Usage usage,
      Actor.Agent actor)
      implements Event {}

  /**
   * A call that waited has its answer; the Turn goes on for its author.
   *
   * @param note what its author says to the model beside it
   */
  record Answered(
      String submissionId, String callId, Decision decision, Optional<String> note, Actor author)
      implements Event {}

  /** A call would change files, and waits as a proposal; the Turn goes on. */
  record Proposed(
      String submissionId,
      String callId,
      Proposal proposal,
      Actor.Agent actor,
      @JsonSetter(nulls = Nulls.AS_EMPTY) Provenance provenance)
      implements Event {}

  /**
   * A proposal was accepted, and applied, or rejected.
   *
   * @param path the files that it would change
   * @param note what its author says to the model beside it
   * @param seen the versions of files, by path, that the conversation knows by applying it
   */
  record ProposalResolved(
      String submissionId,
      String callId,
      String path,
      Decision decision,
      Optional<String> note,
      Actor author,
      @JsonSetter(nulls = Nulls.AS_EMPTY) Provenance provenance,
      @JsonSetter(nulls = Nulls.AS_EMPTY) Map<String, String> seen)
      implements Event {
    public ProposalResolved {
      seen = Map.copyOf(seen);
    }
  }

  /**
   * A call was ended because the workspace ran out of memory.
   *
   * @param peak the most that it had, in bytes
   * @param limit how much there is, in bytes
   */
  record MemoryLimit(String submissionId, String callId, long peak, long limit) implements Event {}

  /** A call was accepted as the end of its Turn; the Settlement is of the same append. */
  record Picked(String submissionId, Pick pick, Actor.Agent actor) implements Event {}

  /**
   * The model ended its Turn without a pick and is asked for one.
   *
   * @param attempt from 1, anew after a reroll
   * @param text the Harness's own words, for the model alone
   */
  record Nudged(String submissionId, int attempt, String text) implements Event {}

  /**
   * The Turn begins anew: the model sees the prompt of its Submission and nothing after it, or
   * before.
   *
   * @param attempt from 1
   * @param reason the fault that the try before met
   */
  record Rerolled(String submissionId, int attempt, String reason) implements Event {}

  /**
   * The older messages became a summary, for the model alone: the record keeps what was said.
   *
   * @param summary what the model reads in their place, the Harness's own words about it included
   * @param kept how many of the newest messages stay; the prompt of the Turn stays in any case
   * @param tokensBefore how long the context was, in tokens, as far as that was known
   * @param tokensAfter how long it is now, by an estimate
   */
  record Compacted(
      String submissionId, String summary, int kept, long tokensBefore, long tokensAfter)
      implements Event {}

  /**
   * The end of a Submission; one that burns the conversation says where its address went on to.
   *
   * @param joined the Submission whose Turn it rode, where it had none of its own
   */
  record SubmissionSettled(
      String submissionId, Settlement settlement, Usage usage, Optional<String> joined)
      implements Event {
    /** Of one that had a Turn of its own, or none. */
    public SubmissionSettled(String submissionId, Settlement settlement, Usage usage) {
      this(submissionId, settlement, usage, Optional.empty());
    }
  }

  /** How a call went. */
  enum Outcome {
    OK,
    ERROR,
    /** It was cut off: whether it took effect is not known. */
    UNKNOWN
  }
}
