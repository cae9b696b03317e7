package harness.model.http;

import java.time.Duration;
import java.util.Optional;

/**
 * How a provider is kept from being asked too much, and from being asked while it fails.
 *
 * @param concurrentCalls the calls that run at once, from 1
 * @param breakerWindow the attempts that the breaker looks back on, from 1; it judges nothing
 *     before there were as many
 * @param breakerFailurePercent the part of them, 1 to 100, that failed where it opens
 * @param breakerOpen how long it then lets no attempt through, before a single one finds out
 * @param rate the attempts that may begin in a time; empty: any number
 * @param longestWait how long an attempt waits for a place, and then for the breaker, and then for
 *     the rate, before it fails
 */
public record GuardPolicy(
    int concurrentCalls,
    int breakerWindow,
    int breakerFailurePercent,
    Duration breakerOpen,
    Optional<Rate> rate,
    Duration longestWait) {
  /**
   * Four failures in a row open the breaker, so that the fifth attempt of the first call that meets
   * a provider in trouble waits already.
   */
  public static final GuardPolicy DEFAULT =
      new GuardPolicy(32, 4, 100, Duration.ofSeconds(30), Optional.empty(), Duration.ofMinutes(10));

  /** So many attempts in each period. */
  public record Rate(int attempts, Duration period) {
    public Rate {
      if (attempts < 1 || !period.isPositive()) {
        throw new IllegalArgumentException("'rate' has attempts from 1 in a time above 0");
      }
    }
  }

  public GuardPolicy {
    if (concurrentCalls < 1 || breakerWindow < 1) {
      throw new IllegalArgumentException("'concurrent-calls' and 'window' are at least 1");
    }
    if (breakerFailurePercent < 1 || breakerFailurePercent > 100) {
      throw new IllegalArgumentException(
          "'failure-percent' is from 1 to 100, not " + breakerFailurePercent);
    }
    if (breakerOpen.toMillis() < 1 || longestWait.isNegative()) {
      throw new IllegalArgumentException("'open' and 'longest-wait' are times above 0");
    }
  }
}
