package harness.client;

import java.time.Duration;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * Time and chance.
 *
 * @param pause waits
 * @param random spreads what many callers do at once
 */
public record Timing(InstantSource clock, Pause pause, RandomGenerator random) {
  /** Waits. */
  @FunctionalInterface
  public interface Pause {
    void sleep(Duration duration) throws InterruptedException;
  }
}
