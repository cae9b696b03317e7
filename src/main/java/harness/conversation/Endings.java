package harness.conversation;

import harness.agent.Instance;
import harness.fault.Fault;
import harness.fault.FaultClass;
import harness.model.Part;
import harness.model.Usage;
import harness.store.Claim;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is appended where a Turn does not end by itself: what was said stays, each open call gets a
 * result, and whatever has to be settled is.
 */
final class Endings {
  private static final String UNKNOWN_EFFECT =
      "; whether it took effect is not known. Look before you repeat it.";

  private Endings() {}

  /**
   * One append.
   *
   * @param claim the epoch that it opens
   * @param report what the feed of faults is told
   */
  record Ending(List<Event> events, Optional<Claim> claim, Optional<FaultReport> report) {}

  /** An abort sweeps: what runs and what waits, in order of admission. */
  static List<Event> aborted(ConversationState state, Optional<Attempt> live) {
    List<Event> events = new ArrayList<>();
    live.ifPresent(attempt -> events.addAll(cut(attempt, state)));
    events.addAll(closed(state, "the Turn was aborted while this ran"));
    for (ConversationState.Unsettled one : state.unsettled()) {
      Usage usage =
          live.filter(attempt -> attempt.submission().submissionId().equals(one.submissionId()))
              .map(Attempt::usage)
              .orElse(Usage.NONE);
      events.add(new Event.SubmissionSettled(one.submissionId(), new Settlement.Aborted(), usage));
    }
    return events;
  }

  /** A Turn that no process runs any more. */
  static Ending lost(Instance instance, ConversationState state, ConversationState.Running turn) {
    Fault fault =
        new Fault(
            FaultClass.TURN_LOST,
            "the Turn was cut off in its middle; the conversation is held, so continue it");
    List<Event> events = new ArrayList<>(closed(state, "the Harness was cut off while this ran"));
    Settlement.Failed settlement = Settlement.failed(fault);
    events.add(new Event.SubmissionSettled(turn.submissionId(), settlement, Usage.NONE));
    return new Ending(
        events,
        Optional.empty(),
        Optional.of(new FaultReport(instance, turn.submissionId(), settlement)));
  }

  /** A Turn that met a fault; one that burns the conversation takes what is queued with it. */
  static Ending failed(
      Attempt attempt, ConversationState state, Fault fault, Usage usage, Optional<Burn> burn) {
    List<Event> before = new ArrayList<>(cut(attempt, state));
    before.addAll(closed(state, "the Turn met a fault while this ran"));
    String id = attempt.submission().submissionId();
    return failed(attempt.instance(), before, id, state, fault, usage, burn);
  }

  /** Turns that can't begin any more, because what they would go on from can't be read. */
  static Ending unread(
      Instance instance, ConversationState state, Fault fault, Optional<Burn> burn) {
    String first = state.unsettled().getFirst().submissionId();
    return failed(instance, List.of(), first, state, fault, Usage.NONE, burn);
  }

  private static Ending failed(
      Instance instance,
      List<Event> before,
      String id,
      ConversationState state,
      Fault fault,
      Usage usage,
      Optional<Burn> burn) {
    Optional<Settlement.Bump> bump = burn.map(Burn::bump);
    Settlement.Failed own =
        new Settlement.Failed(Settlement.ErrorType.of(fault), fault, bump, Optional.empty());
    List<Event> events = new ArrayList<>(before);
    events.add(new Event.SubmissionSettled(id, own, usage));
    if (fault.faultClass().burns()) {
      Settlement.Failed behind = new Settlement.Failed(own.error(), fault, bump, Optional.of(id));
      state.unsettled().stream()
          .map(ConversationState.Unsettled::submissionId)
          .filter(other -> !other.equals(id))
          .forEach(other -> events.add(new Event.SubmissionSettled(other, behind, Usage.NONE)));
    }
    return new Ending(
        events, burn.flatMap(Burn::claim), Optional.of(new FaultReport(instance, id, own)));
  }

  private static List<Event> cut(Attempt attempt, ConversationState state) {
    String said = attempt.partial();
    return said.isEmpty()
        ? List.of()
        : List.of(
            new Event.ReplyAppended(
                attempt.submission().submissionId(),
                state.messageId(),
                List.of(new Part.Text(said)),
                true,
                Usage.NONE,
                attempt.actor()));
  }

  private static List<Event> closed(ConversationState state, String why) {
    List<Event> results = new ArrayList<>();
    for (ConversationState.Running turn : state.running().stream().toList()) {
      for (String call : turn.openCalls()) {
        results.add(
            new Event.ToolReturned(
                turn.submissionId(),
                call,
                Event.Outcome.UNKNOWN,
                why + UNKNOWN_EFFECT,
                0,
                0,
                false,
                turn.actor()));
      }
    }
    return results;
  }
}
