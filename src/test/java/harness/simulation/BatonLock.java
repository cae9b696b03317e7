package harness.simulation;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Date;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** A reentrant lock of a simulation: whoever finds it taken hands on the baton. */
final class BatonLock implements Lock {
  private final Scheduler scheduler;
  private Optional<Task> owner = Optional.empty();
  private int holds;

  BatonLock(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  @Override
  public void lock() {
    scheduler.smallStep();
    Task me = scheduler.me();
    if (!isFreeFor(me)) {
      scheduler.await("for a lock of " + owner.get(), () -> isFreeFor(me));
    }
    take();
  }

  @Override
  public void lockInterruptibly() throws InterruptedException {
    scheduler.smallStep();
    Task me = scheduler.me();
    scheduler.awaitInterruptibly("for a lock", () -> isFreeFor(me), Long.MAX_VALUE);
    take();
  }

  private boolean isFreeFor(Task task) {
    return owner.isEmpty() || owner.get() == task;
  }

  private void take() {
    owner = Optional.of(scheduler.me());
    holds++;
  }

  @Override
  public void unlock() {
    if (scheduler.me().isDead()) {
      return;
    }
    requireMine();
    if (--holds == 0) {
      owner = Optional.empty();
      scheduler.smallStep();
    }
  }

  private void requireMine() {
    if (owner.filter(task -> task == scheduler.me()).isEmpty()) {
      throw new IllegalMonitorStateException("the lock is not held by who lets go of it");
    }
  }

  @Override
  public boolean tryLock() {
    throw new UnsupportedOperationException("the core tries no lock");
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) {
    throw new UnsupportedOperationException("the core tries no lock");
  }

  @Override
  public Condition newCondition() {
    return new Signals();
  }

  /** A waiter; {@code told} once it was signalled. */
  private static final class Ear {
    private boolean told;
  }

  private final class Signals implements Condition {
    private final Deque<Ear> ears = new ArrayDeque<>();

    @Override
    public long awaitNanos(long nanos) throws InterruptedException {
      requireMine();
      long deadline = scheduler.after(Duration.ofNanos(nanos));
      int held = holds;
      Ear ear = new Ear();
      ears.add(ear);
      owner = Optional.empty();
      holds = 0;
      try {
        scheduler.awaitInterruptibly("for a signal", () -> ear.told, deadline);
      } finally {
        ears.remove(ear);
        Task me = scheduler.me();
        if (!me.isDead()) {
          scheduler.await("for its lock again", () -> isFreeFor(me));
          owner = Optional.of(me);
          holds = held;
        }
      }
      return deadline - scheduler.nanos();
    }

    @Override
    public void signal() {
      requireMine();
      Optional.ofNullable(ears.poll()).ifPresent(ear -> ear.told = true);
    }

    @Override
    public void signalAll() {
      requireMine();
      ears.forEach(ear -> ear.told = true);
      ears.clear();
    }

    @Override
    public void await() {
      throw new UnsupportedOperationException("the core waits for a time");
    }

    @Override
    public void awaitUninterruptibly() {
      throw new UnsupportedOperationException("the core waits for a time");
    }

    @Override
    public boolean await(long time, TimeUnit unit) {
      throw new UnsupportedOperationException("the core waits in nanoseconds");
    }

    @Override
    public boolean awaitUntil(Date deadline) {
      throw new UnsupportedOperationException("the core waits in nanoseconds");
    }
  }
}
