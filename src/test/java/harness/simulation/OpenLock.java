package harness.simulation;

import java.util.Date;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** Lets everybody in at once; only who waits for a signal of it, or gives one, holds it then. */
final class OpenLock implements Lock {
  private final Lock lock;

  OpenLock(Lock lock) {
    this.lock = lock;
  }

  @Override
  public void lock() {}

  @Override
  public void lockInterruptibly() {}

  @Override
  public boolean tryLock() {
    return true;
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) {
    return true;
  }

  @Override
  public void unlock() {}

  @Override
  public Condition newCondition() {
    return new Signals(lock, lock.newCondition());
  }

  private record Signals(Lock lock, Condition condition) implements Condition {
    private interface Waiting<T> {
      T here() throws InterruptedException;
    }

    private <T> T held(Waiting<T> waiting) throws InterruptedException {
      lock.lock();
      try {
        return waiting.here();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void await() throws InterruptedException {
      boolean _ = await(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
    }

    @Override
    public void awaitUninterruptibly() {
      lock.lock();
      try {
        condition.awaitUninterruptibly();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public long awaitNanos(long nanos) throws InterruptedException {
      return held(() -> condition.awaitNanos(nanos));
    }

    @Override
    public boolean await(long time, TimeUnit unit) throws InterruptedException {
      return held(() -> condition.await(time, unit));
    }

    @Override
    public boolean awaitUntil(Date deadline) throws InterruptedException {
      return held(() -> condition.awaitUntil(deadline));
    }

    @Override
    public void signal() {
      signalAll();
    }

    @Override
    public void signalAll() {
      lock.lock();
      try {
        condition.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }
}
