package harness.model.http;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The time that a call has taken while this process ran. Each reading counts at most one slice: so
 * a process that was frozen for an hour, or a clock that was set, ends no call; whoever waits does
 * so in slices.
 */
final class RunningTime {
  /** The longest that one wait lasts, and that one reading counts. */
  static final Duration SLICE = Duration.ofSeconds(1);

  private final InstantSource clock;
  private Instant last;
  private Duration elapsed = Duration.ZERO;

  RunningTime(InstantSource clock) {
    this.clock = clock;
    this.last = clock.instant();
  }

  Duration elapsed() {
    Instant now = clock.instant();
    Duration step = Duration.between(last, now);
    last = now;
    if (step.isPositive()) {
      elapsed = elapsed.plus(step.compareTo(SLICE) > 0 ? SLICE : step);
    }
    return elapsed;
  }

  /** Counts a wait that was made in one piece. */
  void waited(Duration wait) {
    last = clock.instant();
    elapsed = elapsed.plus(wait);
  }
}
