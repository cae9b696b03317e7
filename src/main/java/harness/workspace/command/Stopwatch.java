package harness.workspace.command;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The time that passed while this process ran: a reading counts at most one slice, so that neither
 * a clock that was set nor a process that was frozen ends a command. Whoever waits does so in less.
 */
final class Stopwatch {
  private static final Duration SLICE = Duration.ofSeconds(1);

  private final InstantSource clock;
  private Instant last;
  private Duration elapsed = Duration.ZERO;

  Stopwatch(InstantSource clock) {
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

  boolean reached(Duration limit) {
    return elapsed().compareTo(limit) >= 0;
  }
}
