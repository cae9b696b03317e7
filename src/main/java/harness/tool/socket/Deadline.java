package harness.tool.socket;

import harness.tool.Timers;
import java.time.Duration;
import java.util.Optional;

/** Something that has to be over within a time, in which this process runs, from its beginning. */
final class Deadline {
  private final Timers timers;
  private final Duration time;
  private final Runnable late;
  private Optional<Timers.Timer> running = Optional.empty();

  /**
   * @param late what is done where it is not over in time
   */
  Deadline(Timers timers, Duration time, Runnable late) {
    this.timers = timers;
    this.time = time;
    this.late = late;
  }

  /** It has begun; where it had begun already, that counts. */
  synchronized void begin() {
    if (running.isEmpty()) {
      running = Optional.of(timers.start(time, late));
    }
  }

  /** It is over. */
  synchronized void met() {
    running.ifPresent(Timers.Timer::stop);
    running = Optional.empty();
  }
}
