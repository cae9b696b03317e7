package harness.tool;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The threads that do the work of one call. They are threads of the platform, because they compute
 * and call the system; they are interrupted when the call is, and none outlives it.
 */
final class Crew {
  /** The most threads of one call. */
  static final int MAX_WORKERS = 8;

  /** How many threads the calls of this process have in all, besides one for each call. */
  private static final Semaphore FURTHER =
      new Semaphore(4 * Runtime.getRuntime().availableProcessors());

  /** How many threads one call has on this machine. */
  static final int USUAL_WORKERS =
      Math.min(MAX_WORKERS, Runtime.getRuntime().availableProcessors());

  /** What each of the threads runs. */
  interface Work {
    void run() throws InterruptedException;
  }

  private final int workers;
  private final Duration atMost;

  /**
   * @param workers how many threads, of which all but one are had only where the process has them
   * @param atMost how long they may work
   */
  Crew(int workers, Duration atMost) {
    this.workers = workers;
    this.atMost = atMost;
  }

  /** The sentence of a result that says that time ended a call. */
  static String ended(Duration atMost) {
    return "ended after "
        + atMost.toSeconds()
        + " s; what was found until then is shown: give a narrower path or pattern";
  }

  /**
   * Runs the work on each thread and waits until all have ended.
   *
   * @return whether they ended in time by themselves
   * @throws InterruptedException when the caller was interrupted; the threads have ended then
   */
  boolean run(Work work) throws InterruptedException {
    int further = 0;
    while (further + 1 < workers && FURTHER.tryAcquire()) {
      further++;
    }
    try {
      return run(work, further + 1);
    } finally {
      FURTHER.release(further);
    }
  }

  private boolean run(Work work, int count) throws InterruptedException {
    CountDownLatch ended = new CountDownLatch(count);
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    boolean inTime;
    try {
      for (int i = 0; i < count; i++) {
        threads.add(
            Thread.ofPlatform()
                .daemon()
                .name(Thread.currentThread().getName() + " worker " + i)
                .start(() -> run(work, ended, failure)));
      }
      inTime = ended.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
    } finally {
      end(threads);
    }
    switch (failure.get()) {
      case RuntimeException bug -> throw bug;
      case Error error -> throw error;
      case null, default -> {}
    }
    return inTime;
  }

  private static void run(
      Work work, CountDownLatch ended, AtomicReference<@Nullable Throwable> failure) {
    try {
      work.run();
    } catch (InterruptedException e) {
      // The call ends them so, and says itself why.
    } catch (RuntimeException | Error e) {
      failure.compareAndSet(null, e);
    } finally {
      ended.countDown();
    }
  }

  private static void end(List<Thread> threads) {
    boolean interrupted = false;
    threads.forEach(Thread::interrupt);
    for (Thread thread : threads) {
      while (true) {
        try {
          thread.join();
          break;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
