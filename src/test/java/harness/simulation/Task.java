package harness.simulation;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * One thread of a simulation. It runs while it has the baton, and only then touches anything; all
 * fields but {@code baton} and {@code interrupted} belong to whoever has it.
 */
final class Task {
  private static final BooleanSupplier AT_ONCE = () -> true;

  final int number;
  final int life;
  final String name;

  /** Whether it is chosen seldom, as a thread that gets no processor. */
  final boolean slow;

  private final Thread thread;
  private boolean started;
  private boolean dead;
  private volatile boolean baton;
  private volatile boolean interrupted;
  private BooleanSupplier until = AT_ONCE;
  private long deadline = Long.MAX_VALUE;
  private boolean interruptible;
  private String why = "to begin";

  Task(int number, int life, String name, boolean slow, Runnable body) {
    this.number = number;
    this.life = life;
    this.name = name;
    this.slow = slow;
    this.thread =
        Thread.ofVirtual()
            .name(name)
            .unstarted(
                () -> {
                  takeBaton();
                  body.run();
                });
  }

  Thread thread() {
    return thread;
  }

  /** Throws where its process is no more. */
  void requireAlive() {
    if (dead) {
      throw new Crashed();
    }
  }

  boolean isDead() {
    return dead;
  }

  void die() {
    dead = true;
  }

  /** What it waits for from now on. */
  void waits(String reason, BooleanSupplier condition, long atMost, boolean endsByInterrupt) {
    until = condition;
    deadline = atMost;
    interruptible = endsByInterrupt;
    why = reason;
  }

  void goesOn() {
    waits("for the baton", AT_ONCE, Long.MAX_VALUE, false);
  }

  long deadline() {
    return deadline;
  }

  boolean canRun(long now) {
    return dead || deadline <= now || until.getAsBoolean() || (interruptible && isInterrupted());
  }

  /** Whether its thread has an interrupt that it did not take note of. */
  boolean isInterrupted() {
    // In this order: the flag is raised before the thread's own status is cleared.
    return thread.isInterrupted() || interrupted;
  }

  /** Of the running task: whether there was an interrupt, which is taken note of by this. */
  boolean takeInterrupt() {
    boolean was = Thread.interrupted() || interrupted;
    interrupted = false;
    return was;
  }

  void giveBaton() {
    baton = true;
    if (started) {
      LockSupport.unpark(thread);
    } else {
      started = true;
      thread.start();
    }
  }

  /** Parks its own thread until it has the baton; an interrupt ends no wait, and is not lost. */
  void takeBaton() {
    while (!baton) {
      hideInterrupt();
      LockSupport.park(this);
    }
    baton = false;
    if (interrupted) {
      interrupted = false;
      thread.interrupt();
    }
  }

  private void hideInterrupt() {
    if (thread.isInterrupted()) {
      interrupted = true;
      Thread.interrupted();
    }
  }

  @Override
  public String toString() {
    return "#" + number + " " + name + " (waits " + why + ")";
  }
}
