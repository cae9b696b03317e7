package harness.turn;

import harness.briefing.Briefing;
import harness.conversation.Attempt;
import harness.conversation.EndedException;
import harness.conversation.Event;
import harness.conversation.Settlement;
import harness.conversation.Submission;
import harness.fault.Fault;
import harness.fault.FaultClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Asks a model for the pick that it did not make. One for each try at a Turn. */
final class Nudge {
  private final Briefing briefing;
  private final int most;
  private int given;

  /**
   * @param given how often before, where the try was paused meanwhile
   */
  Nudge(Briefing briefing, int most, int given) {
    this.given = given;
    this.briefing = briefing;
    this.most = most;
  }

  /**
   * After a reply without a call; empty where the model was nudged and is to be asked again. A
   * caller who chose the conversation asks there itself, so such a Turn ends with its text.
   *
   * @param said what the reply is recorded as: one append with what follows from it
   */
  Optional<End> unlessOver(Attempt attempt, List<Event> said) throws EndedException {
    Submission submission = attempt.submission();
    List<String> allowed = submission.picks().allowed();
    if (allowed.isEmpty() || !submission.minted()) {
      return Optional.of(new End.Settles(new Settlement.Completed(), said));
    }
    if (given == most) {
      attempt.append(said);
      return Optional.of(End.failed(noSignal(allowed)));
    }
    given++;
    List<Event> events = new ArrayList<>(said);
    events.add(new Event.Nudged(submission.submissionId(), given, briefing.nudge(allowed)));
    attempt.append(events);
    return Optional.empty();
  }

  private Fault noSignal(List<String> allowed) {
    return new Fault(
        FaultClass.NO_SIGNAL,
        "the Turn ended without a pick after "
            + most
            + " nudges; allowed were: "
            + String.join(", ", allowed)
            + ". Say in the prompt when to make which");
  }
}
