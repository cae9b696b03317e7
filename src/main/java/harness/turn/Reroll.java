package harness.turn;

import harness.conversation.Attempt;
import harness.conversation.EndedException;
import harness.conversation.Event;
import harness.conversation.Settlement;
import harness.conversation.Submission;
import java.util.List;

/**
 * Lets a fresh Turn that led nowhere begin anew, with the identical prompt on an empty context. One
 * for each Turn. A prompt that continues a conversation means nothing without it, and a caller who
 * chose the conversation tries again itself.
 */
final class Reroll {
  private final int most;
  private int given;

  /**
   * @param given how often before, where the Turn was paused meanwhile
   */
  Reroll(int most, int given) {
    this.given = given;
    this.most = most;
  }

  /** Whether the Turn begins anew after this end of a try; then that is recorded. */
  boolean follows(End end, Attempt attempt) throws EndedException {
    Submission submission = attempt.submission();
    if (!(end instanceof End.Settles(Settlement.Failed failed, _))
        || !submission.minted()
        || attempt.instance().id().continued()
        || given == most) {
      return false;
    }
    return switch (failed.fault().faultClass()) {
      case NO_SIGNAL, RUNAWAY -> {
        given++;
        attempt.append(
            List.of(new Event.Rerolled(submission.submissionId(), given, failed.fault().reason())));
        yield true;
      }
      case INFRA, TURN_LOST, MEMORY_LIMIT -> false;
    };
  }
}
