package harness.conversation;

/** Starts threads; the one place where this program gets one, so that a test can hold the baton. */
public interface Tasks {
  /** Runs the task on a thread of its own; the name is for dumps. The task handles its failures. */
  Thread start(String name, Runnable task);

  /** Virtual threads: plain blocking code, as many as there are Turns and readers. */
  static Tasks virtual() {
    return (name, task) -> Thread.ofVirtual().name(name).start(task);
  }
}
