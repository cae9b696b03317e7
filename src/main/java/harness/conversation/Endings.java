package harness.conversation;

import harness.agent.Instance;
import harness.author.Actor;
import harness.fault.Fault;
import harness.fault.FaultClass;
import harness.model.Part;
import harness.model.Usage;
import harness.store.Claim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is appended where a Turn does not end by itself: what was said stays, each open call gets a
 * result, and whatever has to be settled is.
 */
final class Endings {
  private static final String UNKNOWN_EFFECT =
      " while this ran; whether it took effect is not known. Look before you repeat it.";

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
    events.addAll(closed(state, "the Turn was aborted"));
    Usage usage = live.map(Attempt::usage).or(() -> used(state)).orElse(Usage.NONE);
    events.addAll(carried(state, new Settlement.Aborted(), usage));
    for (ConversationState.Unsettled one : behind(state)) {
      events.add(
          new Event.SubmissionSettled(one.submissionId(), new Settlement.Aborted(), Usage.NONE));
    }
    return events;
  }

  /** A Turn that nobody answered in time. */
  static List<Event> unanswered(ConversationState state, Duration waited) {
    String within =
        waited.toMinutes() > 1 ? waited.toMinutes() + " minutes" : waited.toSeconds() + " seconds";
    String why = "nobody answered within " + within;
    List<Event> events = new ArrayList<>(closed(state, why));
    Settlement aborted = new Settlement.Aborted(Optional.of(why + " what the Turn waited for"));
    events.addAll(carried(state, aborted, used(state).orElse(Usage.NONE)));
    return events;
  }

  /**
   * A Turn whose author may not start or resume it any more: of one that never started nothing else
   * is recorded.
   */
  static List<Event> forbidden(ConversationState state, String message) {
    Settlement forbidden = new Settlement.Forbidden(message);
    if (state.running().isEmpty()) {
      String first = state.unsettled().getFirst().submissionId();
      return List.of(new Event.SubmissionSettled(first, forbidden, Usage.NONE));
    }
    List<Event> events = new ArrayList<>(closed(state, message));
    events.addAll(carried(state, forbidden, used(state).orElse(Usage.NONE)));
    return events;
  }

  /** A Turn that no process runs any more. */
  static Ending lost(Instance instance, ConversationState state, ConversationState.Running turn) {
    Fault fault =
        new Fault(
            FaultClass.TURN_LOST,
            "the Turn was cut off in its middle; the conversation is held, so continue it");
    List<Event> events = new ArrayList<>(closed(state, "the Harness was cut off"));
    Settlement.Failed settlement = Settlement.failed(fault);
    events.addAll(carried(state, settlement, turn.used()));
    return new Ending(
        events,
        Optional.empty(),
        Optional.of(new FaultReport(instance, turn.submissionId(), settlement)));
  }

  /** A Turn that came to its own end. */
  static List<Event> ended(ConversationState state, Turns.Ending ending) {
    List<Event> events = new ArrayList<>(ending.last());
    events.addAll(carried(state, ending.settlement(), ending.usage()));
    return events;
  }

  /** A Turn that met a fault; one that burns the conversation takes what is queued with it. */
  static Ending failed(
      Attempt attempt, ConversationState state, Fault fault, Usage usage, Optional<Burn> burn) {
    List<Event> events = new ArrayList<>(cut(attempt, state));
    events.addAll(closed(state, "the Turn met a fault"));
    Settlement.Failed own = own(fault, burn);
    events.addAll(carried(state, own, usage));
    events.addAll(burned(behind(state), own, attempt.submission().submissionId()));
    return ending(attempt.instance(), attempt.submission().submissionId(), events, own, burn);
  }

  /** Turns that can't begin or go on any more, because what they would go on from can't be read. */
  static Ending unread(
      Instance instance, ConversationState state, Fault fault, Optional<Burn> burn) {
    String first = state.unsettled().getFirst().submissionId();
    Settlement.Failed own = own(fault, burn);
    List<Event> events = new ArrayList<>(closed(state, "the conversation ends"));
    if (state.running().isPresent()) {
      events.addAll(carried(state, own, used(state).orElse(Usage.NONE)));
      events.addAll(burned(behind(state), own, first));
    } else {
      events.add(new Event.SubmissionSettled(first, own, Usage.NONE));
      events.addAll(burned(state.unsettled().stream().skip(1).toList(), own, first));
    }
    return ending(instance, first, events, own, burn);
  }

  private static Ending ending(
      Instance instance,
      String id,
      List<Event> events,
      Settlement.Failed own,
      Optional<Burn> burn) {
    return new Ending(
        events, burn.flatMap(Burn::claim), Optional.of(new FaultReport(instance, id, own)));
  }

  private static Settlement.Failed own(Fault fault, Optional<Burn> burn) {
    return new Settlement.Failed(
        Settlement.ErrorType.of(fault), fault, burn.map(Burn::bump), Optional.empty());
  }

  /** What a burn takes with it. */
  private static List<Event> burned(
      List<ConversationState.Unsettled> behind, Settlement.Failed own, String by) {
    if (!own.fault().faultClass().burns()) {
      return List.of();
    }
    Settlement.Failed with =
        new Settlement.Failed(own.error(), own.fault(), own.bump(), Optional.of(by));
    return behind.stream()
        .<Event>map(one -> new Event.SubmissionSettled(one.submissionId(), with, Usage.NONE))
        .toList();
  }

  /** The Settlement of the Turn that began, and of each that rode with it. */
  private static List<Event> carried(ConversationState state, Settlement settlement, Usage usage) {
    List<Event> events = new ArrayList<>();
    for (ConversationState.Running turn : state.running().stream().toList()) {
      String leader = turn.submissionId();
      events.add(new Event.SubmissionSettled(leader, settlement, usage));
      for (String rider : turn.joined()) {
        events.add(new Event.SubmissionSettled(rider, settlement, Usage.NONE, Optional.of(leader)));
      }
    }
    return events;
  }

  /** What no Turn carries yet, in order. */
  private static List<ConversationState.Unsettled> behind(ConversationState state) {
    return state.unsettled().stream()
        .filter(one -> state.running().filter(turn -> turn.carries(one.submissionId())).isEmpty())
        .toList();
  }

  private static Optional<Usage> used(ConversationState state) {
    return state.running().map(ConversationState.Running::used);
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
                attempt.actor(),
                state.authorship().now()));
  }

  /** A result for each open call. While a Turn pauses none of them runs. */
  private static List<Event> closed(ConversationState state, String why) {
    List<Event> results = new ArrayList<>();
    for (ConversationState.Running turn : state.running().stream().toList()) {
      boolean paused = turn.pause().isPresent();
      for (String call : turn.openCalls()) {
        results.add(
            new Event.ToolReturned(
                turn.submissionId(),
                call,
                paused ? Event.Outcome.ERROR : Event.Outcome.UNKNOWN,
                paused ? "not run: " + why : why + UNKNOWN_EFFECT,
                0,
                0,
                false,
                turn.actor(),
                state.authorship().of(turn.actor().onBehalfOf().orElseGet(Actor.System::new))));
      }
    }
    return results;
  }
}
