package harness.workspace;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The places that are being written in this process, each by one at a time. Who needs several takes
 * them at one stroke, and nobody overtakes whom it would wait for; so no two wait for each other.
 * As many claims are held here as there are calls that hold or wait for places.
 */
final class Places {
  /** How long places are waited for. */
  static final Duration MAX_WAIT = Duration.ofSeconds(60);

  /** Of the whole process, as the files are. */
  static final Places OF_PROCESS = new Places(MAX_WAIT);

  /**
   * A place.
   *
   * @param directory the key of the directory
   * @param name the name in it
   */
  record Place(Object directory, Name name) {}

  /** Places that are held until this is closed. */
  interface Hold extends AutoCloseable {
    @Override
    void close();
  }

  private final Duration maxWait;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition left = lock.newCondition();

  /** In the order in which they came, those that hold and those that wait. */
  private final Set<Claim> claims = new LinkedHashSet<>();

  Places(Duration maxWait) {
    this.maxWait = maxWait;
  }

  /**
   * Waits for places and takes them all.
   *
   * @throws TimeoutException after the longest wait
   */
  Hold take(Set<Place> places) throws InterruptedException, TimeoutException {
    Claim claim = new Claim(places);
    lock.lock();
    try {
      claims.add(claim);
      boolean taken = false;
      try {
        long nanos = maxWait.toNanos();
        while (waits(claim)) {
          if (nanos <= 0) {
            throw new TimeoutException();
          }
          nanos = left.awaitNanos(nanos);
        }
        taken = true;
        return claim;
      } finally {
        if (!taken) {
          leave(claim);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether one that came before has or wants one of its places. */
  private boolean waits(Claim claim) {
    for (Claim earlier : claims) {
      if (earlier == claim) {
        return false;
      }
      if (!Collections.disjoint(earlier.places, claim.places)) {
        return true;
      }
    }
    throw new IllegalStateException("a claim that was not made");
  }

  private void leave(Claim claim) {
    if (claims.remove(claim)) {
      left.signalAll();
    }
  }

  /** How many claims hold or wait. */
  int size() {
    lock.lock();
    try {
      return claims.size();
    } finally {
      lock.unlock();
    }
  }

  private final class Claim implements Hold {
    private final Set<Place> places;

    Claim(Set<Place> places) {
      this.places = Set.copyOf(places);
    }

    @Override
    public void close() {
      lock.lock();
      try {
        leave(this);
      } finally {
        lock.unlock();
      }
    }
  }
}
