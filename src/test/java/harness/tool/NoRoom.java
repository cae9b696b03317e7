package harness.tool;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes no thread so many times, as a system does that has no room for one, and then makes them.
 */
final class NoRoom implements ThreadFactory {
  private final AtomicInteger left;

  NoRoom(int times) {
    this.left = new AtomicInteger(times);
  }

  @Override
  public Thread newThread(Runnable task) {
    if (left.getAndDecrement() > 0) {
      throw new OutOfMemoryError("unable to create native thread, says the test");
    }
    return Thread.ofPlatform().daemon().unstarted(task);
  }
}
