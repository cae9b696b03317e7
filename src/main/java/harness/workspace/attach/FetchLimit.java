package harness.workspace.attach;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Interrupts the thread that began it, unless it is closed within a time. */
final class FetchLimit implements AutoCloseable {
  private final Thread fetching = Thread.currentThread();
  private final CountDownLatch closed = new CountDownLatch(1);
  private boolean passed;

  private FetchLimit() {}

  static FetchLimit of(Duration longest) {
    FetchLimit limit = new FetchLimit();
    Thread unused = Thread.ofVirtual().name("fetch limit").start(() -> limit.watch(longest));
    return limit;
  }

  private void watch(Duration longest) {
    try {
      if (!closed.await(longest.toNanos(), TimeUnit.NANOSECONDS)) {
        pass();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void pass() {
    if (closed.getCount() > 0) {
      passed = true;
      fetching.interrupt();
    }
  }

  /** Whether it took longer; then the interrupt came from here, and ends with this. */
  synchronized boolean passed() {
    return passed;
  }

  @Override
  public synchronized void close() {
    closed.countDown();
    if (passed) {
      boolean unused = Thread.interrupted();
    }
  }
}
