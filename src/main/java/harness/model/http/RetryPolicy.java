package harness.model.http;

import java.time.Duration;

/**
 * How often a call that failed before it showed anything is made again, and when.
 *
 * @param attempts the attempts in all, from 1
 * @param firstWait the wait after the first failure; it doubles with each further one, and from
 *     half of it to all of it is waited, at random
 * @param longestWait where the doubling ends
 * @param longestRetryAfter the longest {@code Retry-After} that is obeyed; where a provider asks
 *     for more, the call fails at once, because asking again earlier is what it forbade
 */
public record RetryPolicy(
    int attempts, Duration firstWait, Duration longestWait, Duration longestRetryAfter) {
  public static final RetryPolicy DEFAULT =
      new RetryPolicy(5, Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofMinutes(2));

  public RetryPolicy {
    if (attempts < 1) {
      throw new IllegalArgumentException("'attempts' is at least 1, not " + attempts);
    }
    if (!firstWait.isPositive() || longestWait.compareTo(firstWait) < 0) {
      throw new IllegalArgumentException(
          "'first-wait' is a time above 0 and at most 'longest-wait', not " + firstWait);
    }
    if (longestRetryAfter.isNegative()) {
      throw new IllegalArgumentException("'longest-retry-after' is not below 0");
    }
  }
}
