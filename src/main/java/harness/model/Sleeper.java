package harness.model;

import java.time.Duration;

/** Waits; handed in, so that a test of a wait takes no time. */
@FunctionalInterface
public interface Sleeper {
  /**
   * Waits that long.
   *
   * @throws InterruptedException when the thread was interrupted before or while it waited
   */
  void sleep(Duration duration) throws InterruptedException;

  /** Really waits. */
  static Sleeper real() {
    return Thread::sleep;
  }
}
