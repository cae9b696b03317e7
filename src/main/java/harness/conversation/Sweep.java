package harness.conversation;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;

/**
 * Aborts: all that a conversation has to do ends, and what its calls left running. Guarded by the
 * conversation's lock.
 */
final class Sweep {
  /** How long an abort waits for calls that do not listen, before it ends what they left. */
  private static final Duration TOOLS_GRACE = Duration.ofSeconds(1);

  private final Conversation conversation;
  private final Log log;
  private final Dispatch dispatch;
  private final Appends appends;
  private final Condition toolEnded;
  private int releasing;

  /**
   * @param toolEnded of the conversation's lock
   */
  Sweep(
      Conversation conversation, Log log, Dispatch dispatch, Appends appends, Condition toolEnded) {
    this.conversation = conversation;
    this.log = log;
    this.dispatch = dispatch;
    this.appends = appends;
    this.toolEnded = toolEnded;
  }

  /** Whether what was swept is still being ended. */
  boolean releasing() {
    return releasing > 0;
  }

  /**
   * Ends the running Submission and all that is queued, in order of admission, and what their calls
   * left running; on stable storage when it returns. What is admitted later starts when all of that
   * has ended.
   *
   * @return whether there was anything to end; empty when it went to sleep meanwhile
   */
  Optional<Boolean> abort() {
    Optional<Boolean> swept = settle();
    if (swept.isPresent()) {
      try {
        awaitTools();
        dispatch.turns().release(log.instance());
      } finally {
        try (Conversation.Hold _ = conversation.visit()) {
          releasing--;
          conversation.promote();
        }
      }
    }
    return swept;
  }

  private Optional<Boolean> settle() {
    try (Conversation.Hold _ = conversation.visit()) {
      if (conversation.asleep()) {
        return Optional.empty();
      }
      ConversationState state = log.state();
      if (state.unsettled().isEmpty()) {
        releasing++;
        return Optional.of(false);
      }
      Optional<Attempt> running = conversation.live().filter(attempt -> !attempt.ended());
      running.ifPresent(attempt -> attempt.hush(true));
      boolean stored = false;
      try {
        appends.store(Endings.aborted(state, running));
        stored = true;
      } finally {
        boolean goesOn = !stored;
        running.filter(_ -> goesOn).ifPresent(attempt -> attempt.hush(false));
      }
      conversation.live().ifPresent(Attempt::end);
      releasing++;
      return Optional.of(true);
    }
  }

  /** A call that had just begun has not yet heard that it was ended. */
  private void awaitTools() {
    try (Conversation.Hold _ = conversation.hold()) {
      long left = TOOLS_GRACE.toNanos();
      while (left > 0 && !conversation.live().map(Attempt::over).orElse(true)) {
        left = toolEnded.awaitNanos(left);
      }
    } catch (InterruptedException _) {
      // Whoever waits for the answer is gone; what was swept stays so.
      Thread.currentThread().interrupt();
    }
  }
}
