package harness.conversation;

import java.time.Duration;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Starts threads and lets them wait, for a time or for each other: whatever the core of the Harness
 * waits for is behind this port or behind the store's, so that a simulation can hold the baton.
 */
public interface Tasks {
  /** Runs the task on a thread of its own; the name is for dumps. The task handles its failures. */
  Thread start(String name, Runnable task);

  /** Parks the calling thread for a while. */
  void pause(Duration duration) throws InterruptedException;

  /** A reentrant lock; who waits for it, or for a condition of it, waits here. */
  Lock lock();

  /** Virtual threads: plain blocking code, as many as there are Turns and readers. */
  static Tasks virtual() {
    return new Tasks() {
      @Override
      public Thread start(String name, Runnable task) {
        return Thread.ofVirtual().name(name).start(task);
      }

      @Override
      public void pause(Duration duration) throws InterruptedException {
        Thread.sleep(duration);
      }

      @Override
      public Lock lock() {
        return new ReentrantLock();
      }
    };
  }
}
