package harness.conversation;

import java.time.Duration;

/**
 * How much may wait and run at once.
 *
 * @param liveTurns Turns that run, in the whole process
 * @param queue Submissions that wait on one conversation, the running one not counted
 * @param queueTotal Submissions that are unsettled, in the whole process
 * @param answer how long a Turn waits for an answer
 */
public record Limits(int liveTurns, int queue, int queueTotal, Duration answer) {
  /** How long that is where nothing else is said. */
  public static final Duration ANSWER = Duration.ofDays(1);

  /** With the usual time for an answer. */
  public Limits(int liveTurns, int queue, int queueTotal) {
    this(liveTurns, queue, queueTotal, ANSWER);
  }
}
