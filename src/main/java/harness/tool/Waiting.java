package harness.tool;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Waits that are counted in slices: a process that was frozen for an hour has waited one slice, and
 * not the hour that would end every call of it.
 */
public final class Waiting {
  private static final Duration SLICE = Duration.ofSeconds(1);

  private Waiting() {}

  /** What it becomes within the time, in which this process runs; empty where it does not. */
  public static <T> Optional<T> within(CompletableFuture<T> future, Duration time)
      throws InterruptedException {
    for (Duration left = time; ; left = left.minus(SLICE)) {
      boolean last = left.compareTo(SLICE) <= 0;
      try {
        return Optional.of(future.get((last ? left : SLICE).toNanos(), TimeUnit.NANOSECONDS));
      } catch (TimeoutException e) {
        if (last) {
          return Optional.empty();
        }
      } catch (ExecutionException e) {
        throw new IllegalStateException("what is waited for here never fails", e);
      }
    }
  }

  /**
   * The same, and an interrupt of the calling thread, with which the time begins anew, is kept for
   * after the wait.
   */
  public static <T> Optional<T> uninterrupted(CompletableFuture<T> future, Duration time) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return within(future, time);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
