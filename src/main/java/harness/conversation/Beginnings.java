package harness.conversation;

import harness.agent.Instance;
import harness.author.Actor;
import harness.author.Permission;
import harness.author.Principal;
import harness.model.Usage;
import harness.store.CorruptEventException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * What is appended where a Turn begins or goes on, and what rides with it: one author a segment.
 */
final class Beginnings {
  private final Instance instance;
  private final Turns turns;

  Beginnings(Instance instance, Turns turns) {
    this.instance = instance;
    this.turns = turns;
  }

  /** The next segment of the first unsettled Submission's Turn. */
  Attempt.Segment segment(ConversationState state) {
    ConversationState.Unsettled first = state.unsettled().getFirst();
    Optional<ConversationState.Running> paused = state.running();
    Optional<Event.Answered> answer =
        paused.flatMap(ConversationState.Running::pause).flatMap(ConversationState.Pause::answer);
    Actor author = answer.map(Event.Answered::author).orElse(first.author());
    return new Attempt.Segment(
        author,
        agent(author),
        state.authorship().of(author),
        answer,
        paused.map(ConversationState.Running::used).orElse(Usage.NONE));
  }

  private Actor.Agent agent(Actor author) {
    return new Actor.Agent(instance.id().value(), author.actsFor());
  }

  /** Why the segment may not begin now; empty where it may. */
  Optional<String> refusal(Attempt.Segment segment) {
    Permission asked =
        segment.answer().isPresent() ? Permission.TURN_ANSWER : Permission.TURN_START;
    return turns.permits(segment.actor(), asked, instance)
        ? Optional.empty()
        : Optional.of(
            segment.author().participant()
                + " has no '"
                + asked.wire()
                + "' for "
                + instance.id()
                + " any more");
  }

  /** The events that begin it. */
  List<Event> opening(ConversationState state, Submission submission, Attempt.Segment segment) {
    ConversationState.Unsettled first = state.unsettled().getFirst();
    return state
        .running()
        .map(
            turn ->
                List.<Event>of(
                    new Event.TurnResumed(
                        first.submissionId(),
                        first.sequence(),
                        turn.attempt() + 1,
                        segment.author(),
                        segment.actor())))
        .orElseGet(
            () ->
                List.of(
                    new Event.TurnStarted(
                        first.submissionId(), first.sequence(), 1, segment.actor()),
                    prompt(state, first, submission, state.messageId())));
  }

  private Event prompt(
      ConversationState state,
      ConversationState.Unsettled one,
      Submission submission,
      String messageId) {
    Turns.Asides asides = new Turns.Asides(state.authorship().restingOwner(), state.news());
    return new Event.PromptAppended(
        one.submissionId(),
        messageId,
        one.sequence(),
        turns.briefing(submission, asides),
        state.authorship().of(one.author()));
  }

  /** A queued Submission that rides, and the events that say so. */
  record Rider(Submission submission, List<Event> events) {}

  /**
   * What may ride with a Turn now, in order, up to the first that may not.
   *
   * @param submission the Submission that an event admitted
   */
  List<Rider> riders(
      ConversationState state, Attempt attempt, LongFunction<Submission> submission) {
    List<Rider> riders = new ArrayList<>();
    long next = state.events();
    ConversationState told = state;
    for (ConversationState.Unsettled one : state.unsettled()) {
      if (state.running().filter(turn -> turn.carries(one.submissionId())).isPresent()) {
        continue;
      }
      if (one.delivery() != Delivery.JOIN || !Principal.same(one.author(), attempt.author())) {
        return riders;
      }
      Submission rider;
      try {
        rider = submission.apply(one.sequence());
      } catch (CorruptEventException _) {
        // Its own Turn says so; this one can go on without it.
        return riders;
      }
      if (!rider.suits(attempt.submission())
          || !turns.permits(agent(one.author()), Permission.TURN_START, instance)) {
        return riders;
      }
      List<Event> events =
          List.of(
              new Event.MessageJoined(one.submissionId(), attempt.submission().submissionId()),
              prompt(told, one, rider, "m-" + (next + 1)));
      for (Event event : events) {
        told = told.apply(event);
      }
      next += events.size();
      riders.add(new Rider(rider, events));
    }
    return riders;
  }
}
