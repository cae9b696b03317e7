package harness.tool.socket;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Something that has to be over within a time from when it began. */
final class Deadline {
  private final Duration time;
  private final Runnable late;
  private CompletableFuture<Boolean> running = CompletableFuture.completedFuture(true);

  /**
   * @param late what is done where it is not over in time
   */
  Deadline(Duration time, Runnable late) {
    this.time = time;
    this.late = late;
  }

  /** It has begun; where it had begun already, that counts. */
  synchronized void begin() {
    if (!running.isDone()) {
      return;
    }
    running =
        new CompletableFuture<Boolean>()
            .completeOnTimeout(false, time.toNanos(), TimeUnit.NANOSECONDS);
    var _ =
        running.thenAccept(
            met -> {
              if (!met) {
                late.run();
              }
            });
  }

  /** It is over. */
  synchronized void met() {
    running.complete(true);
  }
}
