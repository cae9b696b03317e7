package harness.conversation;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import harness.fault.Fault;
import harness.menu.Pick;
import java.util.Optional;

/** The single end of a Submission. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "outcome")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Settlement.Completed.class, name = "completed"),
  @JsonSubTypes.Type(value = Settlement.Failed.class, name = "failed"),
  @JsonSubTypes.Type(value = Settlement.Forbidden.class, name = "forbidden"),
  @JsonSubTypes.Type(value = Settlement.Aborted.class, name = "aborted")
})
public sealed interface Settlement {
  /**
   * The Turn ended as its model wanted.
   *
   * @param pick the call that ended it; empty where it ended with its text
   */
  record Completed(Optional<Pick> pick) implements Settlement {
    /** With its text. */
    public Completed() {
      this(Optional.empty());
    }
  }

  /**
   * The Turn met a terminal fault, its own or that of the one it was queued behind.
   *
   * @param bump where the conversation's address went on to, if the fault burned it
   * @param causedBy the Submission whose fault burned the conversation, where that is another one
   */
  record Failed(ErrorType error, Fault fault, Optional<Bump> bump, Optional<String> causedBy)
      implements Settlement {}

  /** The epochs that a burned address went from and to. */
  record Bump(int from, int to) {}

  /**
   * It was ended by an abort, or because nobody answered what it waited for.
   *
   * @param why where it was no abort
   */
  record Aborted(Optional<String> why) implements Settlement {
    /** By an abort. */
    public Aborted() {
      this(Optional.empty());
    }
  }

  /**
   * Whom it was for might not start or resume it any more. It is no fault: the conversation goes on
   * with the next one.
   *
   * @param message who may not do what
   */
  record Forbidden(String message) implements Settlement {}

  /** The types of errors of a Settlement. */
  enum ErrorType {
    SUBMISSION_ABORTED("submission_aborted"),
    SUBMISSION_FAILED("submission_failed"),
    NO_SIGNAL("no_signal"),
    RUNAWAY("runaway"),
    HARNESS_RESTARTED("harness_restarted"),
    MEMORY_LIMIT("memory_limit"),
    FORBIDDEN("forbidden");

    private final String wireName;

    ErrorType(String wireName) {
      this.wireName = wireName;
    }

    public String wireName() {
      return wireName;
    }

    /** The type that tells of a fault of this class. */
    static ErrorType of(Fault fault) {
      return switch (fault.faultClass()) {
        case INFRA -> SUBMISSION_FAILED;
        case NO_SIGNAL -> NO_SIGNAL;
        case RUNAWAY -> RUNAWAY;
        case TURN_LOST -> HARNESS_RESTARTED;
        case MEMORY_LIMIT -> MEMORY_LIMIT;
      };
    }
  }

  /** A fault of the Turn itself. */
  static Failed failed(Fault fault) {
    return new Failed(ErrorType.of(fault), fault, Optional.empty(), Optional.empty());
  }
}
