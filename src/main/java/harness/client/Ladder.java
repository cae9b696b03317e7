package harness.client;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How a request is sent again: after waits that double up to a bound, each cut by chance to between
 * its half and its whole.
 *
 * @param first the first wait
 * @param longest the longest wait
 * @param total how long after the first try the last one may be
 */
record Ladder(Duration first, Duration longest, Duration total) {
  /** A pod that is ready is not yet a routable Service. */
  static final Ladder REQUEST =
      new Ladder(Duration.ofMillis(250), Duration.ofSeconds(8), Duration.ofSeconds(90));

  /** A Harness that ends is rescheduled, starts and reads its state. */
  static final Ladder READ =
      new Ladder(Duration.ofMillis(250), Duration.ofSeconds(15), Duration.ofMinutes(5));

  /** The most doublings: further ones are over any bound. */
  private static final int MAX_DOUBLINGS = 20;

  /**
   * @param tries how often it was sent
   */
  Duration step(int tries, RandomGenerator random) {
    Duration doubled = first.multipliedBy(1L << Math.min(tries - 1, MAX_DOUBLINGS));
    long whole = Math.min(doubled.toMillis(), longest.toMillis());
    return Duration.ofMillis(whole / 2 + random.nextLong(whole / 2 + 1));
  }
}
