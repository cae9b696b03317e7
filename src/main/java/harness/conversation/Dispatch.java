package harness.conversation;

import harness.agent.Instance;
import harness.fault.Refusal;
import harness.fault.RefusedException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;

/**
 * What all conversations of the process share to run Turns: the permits for live ones, the count of
 * what is unsettled, and whether it is stopping.
 */
final class Dispatch {
  /** How long what the store could not take waits before it is tried again. */
  static final Duration REPAIR_PAUSE = Duration.ofSeconds(1);

  /** How long a Turn whose model is in trouble stays in its queue before it is looked at again. */
  static final Duration READY_PAUSE = Duration.ofMillis(500);

  /** What a caller that met a full queue is told to wait. */
  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

  private final Limits limits;
  private final Tasks tasks;
  private final Turns turns;
  private final FaultFeed faults;
  private final AtomicInteger unsettled = new AtomicInteger();
  private final AtomicInteger parked = new AtomicInteger();
  private final Lock lock;
  private final Condition quiet;
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private int running;
  private volatile boolean stopped;

  Dispatch(Limits limits, Tasks tasks, Turns turns, FaultFeed faults) {
    this.limits = limits;
    this.faults = faults;
    this.tasks = tasks;
    this.turns = turns;
    this.lock = tasks.lock();
    this.quiet = lock.newCondition();
  }

  Tasks tasks() {
    return tasks;
  }

  Turns turns() {
    return turns;
  }

  FaultFeed faults() {
    return faults;
  }

  /**
   * Takes a place for one more unsettled Submission.
   *
   * @param waiting how many wait on that conversation
   * @throws RefusedException when its queue or the process's is full
   */
  void reserve(Instance instance, int waiting) {
    if (waiting >= limits.queue()) {
      throw full("conversation " + instance.id(), limits.queue() + " wait");
    }
    if (unsettled.incrementAndGet() > limits.queueTotal()) {
      unsettled.decrementAndGet();
      throw full("this Harness", limits.queueTotal() + " are unsettled");
    }
  }

  private static RefusedException full(String whose, String howFull) {
    return new RefusedException(
        new Refusal.Full(
            "the queue of " + whose + " is full (" + howFull + "); send it again later",
            RETRY_AFTER));
  }

  /** Counts Submissions that are unsettled; below 0 those that are no more. */
  void count(int more) {
    unsettled.addAndGet(more);
    tellIfQuiet();
  }

  /** Counts Submissions that wait for an answer, or behind such a one: nothing ends them here. */
  void park(int more) {
    parked.addAndGet(more);
    tellIfQuiet();
  }

  private boolean busy() {
    return unsettled.get() != parked.get();
  }

  private void tellIfQuiet() {
    if (!busy()) {
      lock.lock();
      try {
        quiet.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  Conversations.Load load() {
    lock.lock();
    try {
      return new Conversations.Load(running, Math.max(0, unsettled.get() - running));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until nothing is unsettled but what waits for an answer; false when the time ran out
   * before.
   */
  boolean awaitQuiet(Duration atMost) throws InterruptedException {
    long left = atMost.toNanos();
    lock.lockInterruptibly();
    try {
      while (busy() && left > 0) {
        left = quiet.awaitNanos(left);
      }
      return !busy();
    } finally {
      lock.unlock();
    }
  }

  /** No Turn starts any more. */
  void stop() {
    stopped = true;
    faults.close();
  }

  boolean stopped() {
    return stopped;
  }

  /** A Turn that waits for a permit. */
  private record Waiting(String name, Runnable turn) {}

  /** Runs a Turn on a thread of its own as soon as there is a permit, in order. */
  void start(String name, Runnable turn) {
    lock.lock();
    try {
      waiting.add(new Waiting(name, turn));
      startWaiting();
    } finally {
      lock.unlock();
    }
  }

  /** The same, a moment later. */
  void startLater(String name, Runnable turn) {
    after(READY_PAUSE, name, () -> start(name, turn));
  }

  private void startWaiting() {
    while (running < limits.liveTurns() && !waiting.isEmpty()) {
      Waiting next = waiting.remove();
      tasks.start(
          next.name(),
          () -> {
            try {
              next.turn().run();
            } finally {
              permitBack();
            }
          });
      running++;
    }
  }

  private void permitBack() {
    lock.lock();
    try {
      running--;
      startWaiting();
    } finally {
      lock.unlock();
    }
  }

  /** How long a Turn waits for an answer. */
  Duration answerLimit() {
    return limits.answer();
  }

  /** Runs something on a thread of its own after a while, unless the process ends before. */
  void after(Duration wait, String name, Runnable what) {
    tasks.start(
        name,
        () -> {
          try {
            tasks.pause(wait);
            if (!stopped) {
              what.run();
            }
          } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
          }
        });
  }

  /**
   * Runs something again and again, with a pause before each time, until it says that it is done.
   */
  void repair(String name, BooleanSupplier done) {
    tasks.start(
        name,
        () -> {
          try {
            do {
              tasks.pause(REPAIR_PAUSE);
            } while (!stopped && !done.getAsBoolean());
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }
}
