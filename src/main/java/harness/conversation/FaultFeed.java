package harness.conversation;

import harness.store.EventStore;
import harness.store.StoredFault;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** Every fault of this Harness, of all conversations, in order. */
public final class FaultFeed {
  /**
   * A fault and where it stands.
   *
   * @param place from 0; places of faults that expired are left out
   * @param report empty where it is damaged: the feed goes on behind it
   */
  public record Placed(long place, Optional<FaultReport> report) {}

  private static final System.Logger LOG = System.getLogger(FaultFeed.class.getName());

  private final EventStore store;
  private final Lock lock;
  private final Condition told;
  private long count;
  private boolean closed;

  FaultFeed(EventStore store, Tasks tasks) {
    this.store = store;
    this.lock = tasks.lock();
    this.told = lock.newCondition();
  }

  /** Those at a place or after it; fewer than asked for only at the end. */
  public List<Placed> read(long from, int atMost) {
    return store.faults(from, atMost).stream()
        .map(fault -> new Placed(fault.place(), report(fault)))
        .toList();
  }

  private static Optional<FaultReport> report(StoredFault fault) {
    try {
      return Optional.of(EventCodec.decodeReport(fault.body()));
    } catch (UncheckedIOException e) {
      LOG.log(Level.ERROR, "fault " + fault.place() + " of the feed can't be read", e);
      return Optional.empty();
    }
  }

  /** The place that the next fault gets, or a smaller one. */
  public long end() {
    return store.faultsEnd();
  }

  /**
   * The same; where there is none, parks until there is one, the time is over or the process ends.
   */
  public List<Placed> await(long from, int atMost, Duration time) throws InterruptedException {
    long left = time.toNanos();
    while (true) {
      long before = count();
      List<Placed> found = read(from, atMost);
      if (!found.isEmpty()) {
        return found;
      }
      lock.lockInterruptibly();
      try {
        while (count == before) {
          if (left <= 0 || closed) {
            return found;
          }
          left = told.awaitNanos(left);
        }
      } finally {
        lock.unlock();
      }
    }
  }

  private long count() {
    lock.lock();
    try {
      return count;
    } finally {
      lock.unlock();
    }
  }

  /** Some were appended. */
  void grew() {
    lock.lock();
    try {
      count++;
      told.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The process ends: nobody waits any more. */
  void close() {
    lock.lock();
    try {
      closed = true;
      told.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
