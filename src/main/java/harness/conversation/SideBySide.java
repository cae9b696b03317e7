package harness.conversation;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;

/** Does one thing to many, some at a time: each may wait long for somebody else. */
final class SideBySide<T> {
  private static final int AT_ONCE = 64;

  private final Consumer<T> step;
  private final Queue<T> left;
  private final Lock lock;
  private final Condition ended;
  private int working;

  private SideBySide(Tasks tasks, List<T> all, Consumer<T> step) {
    this.step = step;
    this.left = new ArrayDeque<>(all);
    this.lock = tasks.lock();
    this.ended = lock.newCondition();
    this.working = Math.min(all.size(), AT_ONCE);
  }

  /**
   * Returns when all is done, or the time is over; what is left then goes on.
   *
   * @param step throws nothing
   */
  static <T> void run(Tasks tasks, String name, List<T> all, Duration atMost, Consumer<T> step) {
    SideBySide<T> run = new SideBySide<>(tasks, all, step);
    for (int i = run.working; i > 0; i--) {
      Thread unused = tasks.start(name, run::work);
    }
    run.await(atMost);
  }

  private void work() {
    try {
      for (Optional<T> one = next(); one.isPresent(); one = next()) {
        step.accept(one.get());
      }
    } finally {
      lock.lock();
      try {
        working--;
        ended.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  private Optional<T> next() {
    lock.lock();
    try {
      return Optional.ofNullable(left.poll());
    } finally {
      lock.unlock();
    }
  }

  private void await(Duration atMost) {
    lock.lock();
    try {
      for (long nanos = atMost.toNanos(); working > 0 && nanos > 0; ) {
        nanos = ended.awaitNanos(nanos);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }
}
