package harness.conversation;

import java.time.Duration;

/**
 * Starts threads and lets them wait; the one place where Turns get one, so that a test can hold the
 * baton.
 */
public interface Tasks {
  /** Runs the task on a thread of its own; the name is for dumps. The task handles its failures. */
  Thread start(String name, Runnable task);

  /** Parks the calling thread for a while. */
  void pause(Duration duration) throws InterruptedException;

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
    };
  }
}
