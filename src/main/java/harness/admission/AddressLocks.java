package harness.admission;

import harness.agent.Address;
import harness.conversation.Tasks;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;

/** One admission at a time mints on an address; addresses share a bounded number of locks. */
final class AddressLocks {
  private static final int LOCKS = 1024;

  private final Lock[] locks = new Lock[LOCKS];

  AddressLocks(Tasks tasks) {
    for (int i = 0; i < LOCKS; i++) {
      locks[i] = tasks.lock();
    }
  }

  <T> T with(Address address, Supplier<T> action) {
    Lock lock = locks[Math.floorMod(address.hashCode(), LOCKS)];
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }
}
