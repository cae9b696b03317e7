package harness.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.function.BooleanSupplier;

/** Callers on virtual threads whose answers are wanted later. */
final class Crowd {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final List<FutureTask<Object>> tasks = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  /** Starts a caller; what it throws is its answer. */
  Thread start(Callable<?> call) {
    FutureTask<Object> task =
        new FutureTask<>(
            () -> {
              try {
                return call.call();
              } catch (RuntimeException failure) {
                return failure;
              }
            });
    tasks.add(task);
    Thread thread = Thread.ofVirtual().start(task);
    threads.add(thread);
    return thread;
  }

  /** Waits until all of them wait: one that writes, in SQLite, for whoever holds the file. */
  void untilParked() {
    until(() -> threads.stream().allMatch(Crowd::waits));
  }

  private static boolean waits(Thread thread) {
    return thread.getState() == Thread.State.WAITING
        || Arrays.stream(thread.getStackTrace())
            .limit(1)
            .anyMatch(frame -> frame.getClassName().equals("org.sqlite.core.NativeDB"));
  }

  static void until(BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("it did not come to pass within " + PATIENCE);
      }
      Thread.onSpinWait();
    }
  }

  /** The answers, in the order in which their callers were started. */
  List<Object> answers() throws Exception {
    List<Object> answers = new ArrayList<>();
    for (FutureTask<Object> task : tasks) {
      answers.add(task.get(PATIENCE.toSeconds(), java.util.concurrent.TimeUnit.SECONDS));
    }
    return answers;
  }
}
