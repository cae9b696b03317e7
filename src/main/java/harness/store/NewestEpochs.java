package harness.store;

import harness.agent.Address;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The epochs of the addresses that were asked for last, since each admission asks for one and
 * hardly any changes it. While a change is under way nothing is answered from here, so that nobody
 * hears of an epoch that the file no longer has.
 */
final class NewestEpochs {
  /** How many addresses are kept. */
  static final int ADDRESSES = 4_096;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Address, Optional<Claim.Epoch>> kept = new Kept();
  private int changing;
  private long changes;

  private static final class Kept extends LinkedHashMap<Address, Optional<Claim.Epoch>> {
    private static final long serialVersionUID = 1L;

    Kept() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Address, Optional<Claim.Epoch>> eldest) {
      return size() > ADDRESSES;
    }
  }

  /** The epoch of an address, looked up where it is not kept. */
  Optional<Claim.Epoch> get(Address address, Supplier<Optional<Claim.Epoch>> lookUp) {
    long before;
    lock.lock();
    try {
      Optional<Claim.Epoch> known = kept.get(address);
      if (known != null) {
        return known;
      }
      before = changes;
    } finally {
      lock.unlock();
    }
    Optional<Claim.Epoch> found = lookUp.get();
    lock.lock();
    try {
      if (changing == 0 && changes == before) {
        kept.put(address, found);
      }
    } finally {
      lock.unlock();
    }
    return found;
  }

  /** Makes a change that may open or expire epochs. */
  <T> T change(Supplier<T> change) {
    count(1);
    try {
      return change.get();
    } finally {
      count(-1);
    }
  }

  private void count(int by) {
    lock.lock();
    try {
      changing += by;
      changes++;
      kept.clear();
    } finally {
      lock.unlock();
    }
  }
}
