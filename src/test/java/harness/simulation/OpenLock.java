package harness.simulation;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** Lets everybody in at once, unless it is one whose holders wait for signals. */
final class OpenLock implements Lock {
  private final Lock lock;
  private boolean signals;

  OpenLock(Lock lock) {
    this.lock = lock;
  }

  @Override
  public void lock() {
    if (signals) {
      lock.lock();
    }
  }

  @Override
  public void lockInterruptibly() throws InterruptedException {
    if (signals) {
      lock.lockInterruptibly();
    }
  }

  @Override
  public boolean tryLock() {
    return lock.tryLock();
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
    return lock.tryLock(time, unit);
  }

  @Override
  public void unlock() {
    if (signals) {
      lock.unlock();
    }
  }

  @Override
  public Condition newCondition() {
    signals = true;
    return lock.newCondition();
  }
}
