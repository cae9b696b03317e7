package harness.conversation;

import harness.author.Actor;
import harness.author.Decision;
import harness.store.StoreUnableException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.function.Function;

/**
 * What a conversation waits for people to say: the answer to the call that its Turn paused at, and
 * the resolution of proposals. Guarded by the conversation's lock.
 */
final class Waits {
  private final Conversation conversation;
  private final Log log;
  private final Dispatch dispatch;
  private final Appends appends;
  private final Condition resolved;
  private boolean resolving;

  /**
   * @param resolved of the conversation's lock
   */
  Waits(
      Conversation conversation, Log log, Dispatch dispatch, Appends appends, Condition resolved) {
    this.conversation = conversation;
    this.log = log;
    this.dispatch = dispatch;
    this.appends = appends;
    this.resolved = resolved;
  }

  /** Whether a proposal is being resolved. */
  boolean resolving() {
    return resolving;
  }

  /** A Turn that nobody answers ends, also when the process was ended meanwhile. */
  void limit(ConversationState.Pause pause) {
    Duration left = dispatch.answerLimit().minus(log.since(pause.sequence()));
    Duration wait = left.isNegative() ? Duration.ZERO : left;
    dispatch.after(wait, "answer " + log.instance(), () -> giveUp(pause.callId()));
  }

  private void giveUp(String callId) {
    try (Conversation.Hold _ = conversation.hold()) {
      if (!conversation.asleep() && awaits(callId)) {
        appends.store(Endings.unanswered(log.state(), dispatch.answerLimit()));
        conversation.promote();
        conversation.sleepIfQuiet();
      }
    } catch (StoreUnableException e) {
      conversation.setAside(e, Optional.empty());
    } catch (RuntimeException | Error e) {
      conversation.stall(e);
    }
  }

  private boolean awaits(String callId) {
    return log.state().pause().filter(pause -> pause.callId().equals(callId)).isPresent();
  }

  /**
   * Takes an answer to the call that its Turn waits for, which then goes on; on stable storage when
   * it returns.
   *
   * @return whether the call waits for one; empty when it went to sleep meanwhile
   */
  Optional<Boolean> answer(String callId, Decision decision, Optional<String> note, Actor author) {
    try (Conversation.Hold _ = conversation.visit()) {
      if (conversation.asleep()) {
        return Optional.empty();
      }
      conversation.requireGoing();
      boolean waits = awaits(callId);
      if (waits) {
        String id = log.state().running().orElseThrow().submissionId();
        appends.store(List.of(new Event.Answered(id, callId, decision, note, author)));
        conversation.promote();
      }
      return Optional.of(waits);
    }
  }

  /** What waits for an answer, and whom the conversation belongs to; empty when it sleeps. */
  Optional<Open> open() {
    try (Conversation.Hold _ = conversation.visit()) {
      ConversationState state = log.state();
      return conversation.asleep()
          ? Optional.empty()
          : Optional.of(
              new Open(
                  state.authorship().restingOwner(),
                  state.pause().map(ConversationState.Pause::callId),
                  state.proposals().stream()
                      .map(ConversationState.OpenProposal::sequence)
                      .toList()));
    }
  }

  /**
   * What may be answered.
   *
   * @param paused the call that the Turn waits for
   * @param proposals the sequences of the events that made those that are open
   */
  record Open(Optional<Actor> owner, Optional<String> paused, List<Long> proposals) {}

  /**
   * Resolves a proposal: one at a time, and nobody else does it meanwhile.
   *
   * @param resolution what is recorded; it may change files, and refuse
   * @return false where no such proposal is open; empty when it went to sleep meanwhile
   */
  Optional<Boolean> resolve(
      String callId, Function<Authorship, Event.ProposalResolved> resolution) {
    Authorship authorship;
    try (Conversation.Hold _ = conversation.hold()) {
      while (resolving && !conversation.asleep()) {
        resolved.awaitUninterruptibly();
      }
      if (conversation.asleep()) {
        return Optional.empty();
      }
      conversation.requireGoing();
      if (log.state().proposals().stream().noneMatch(one -> one.callId().equals(callId))) {
        return Optional.of(false);
      }
      resolving = true;
      authorship = log.state().authorship();
    }
    try {
      Event.ProposalResolved event = resolution.apply(authorship);
      try (Conversation.Hold _ = conversation.hold()) {
        appends.store(List.of(event));
      }
      return Optional.of(true);
    } finally {
      try (Conversation.Hold _ = conversation.visit()) {
        resolving = false;
        resolved.signalAll();
        conversation.promote();
      }
    }
  }
}
