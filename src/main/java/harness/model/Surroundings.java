package harness.model;

import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * What the providers take from outside, so that a test decides it.
 *
 * @param clock what limits are counted with
 * @param sleeper how a wait is made
 * @param random where the jitter of waits comes from; used by one thread at a time
 * @param environment the variables of the process, by name: where a key may be
 * @param watch hears how the calls go
 */
public record Surroundings(
    InstantSource clock,
    Sleeper sleeper,
    RandomGenerator random,
    Function<String, Optional<String>> environment,
    ModelWatch watch) {
  /** Where nobody listens. */
  public Surroundings(
      InstantSource clock,
      Sleeper sleeper,
      RandomGenerator random,
      Function<String, Optional<String>> environment) {
    this(clock, sleeper, random, environment, ModelWatch.NONE);
  }
}
