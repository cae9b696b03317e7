package harness.wire;

import java.time.Duration;

/**
 * How long things wait.
 *
 * @param longPoll how long a long-poll is parked while nothing lands
 * @param keepAlive how long a stream says nothing before a comment shows that it is alive
 * @param freeAfter how long a conversation must have been untouched to be freed
 */
public record Patience(Duration longPoll, Duration keepAlive, Duration freeAfter) {
  private static final Duration LONG_POLL = Duration.ofSeconds(25);
  private static final Duration KEEP_ALIVE = Duration.ofSeconds(15);

  /** What callers are promised. */
  public static Patience freeingAfter(Duration freeAfter) {
    return new Patience(LONG_POLL, KEEP_ALIVE, freeAfter);
  }
}
