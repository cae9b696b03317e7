package harness.admission;

import harness.agent.Address;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** One admission at a time mints on an address; addresses share a bounded number of locks. */
final class AddressLocks {
  private static final int LOCKS = 1024;

  private final ReentrantLock[] locks = new ReentrantLock[LOCKS];

  AddressLocks() {
    for (int i = 0; i < LOCKS; i++) {
      locks[i] = new ReentrantLock();
    }
  }

  <T> T with(Address address, Supplier<T> action) {
    ReentrantLock lock = locks[Math.floorMod(address.hashCode(), LOCKS)];
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }
}
