package harness.simulation;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/** What the seed decides, in the words of a simulation. */
record Chance(RandomGenerator random) {
  private static final Duration SHORTEST = Duration.ofNanos(20_000);

  /** True in one of so many cases. */
  boolean oneIn(int cases) {
    return random.nextInt(cases) == 0;
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  <T> T of(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  /** A time up to the longest; short ones are as likely as long ones, whatever their scale. */
  Duration upTo(Duration longest) {
    double scale = Math.log((double) longest.toNanos() / SHORTEST.toNanos());
    return Duration.ofNanos((long) (SHORTEST.toNanos() * Math.exp(random.nextDouble() * scale)));
  }
}
