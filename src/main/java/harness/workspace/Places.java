package harness.workspace;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The places that are being written in this process, each by one at a time. As many are held here
 * as there are targets open or waited for.
 */
final class Places {
  /** How long a place is waited for, in seconds. */
  static final long MAX_WAIT_SECONDS = 60;

  /** Of the whole process, as the files are. */
  static final Places OF_PROCESS = new Places();

  /**
   * A place.
   *
   * @param directory the key of the directory
   * @param name the name in it
   */
  private record Place(Object directory, Name name) {}

  private record Turn(Semaphore free, int users) {
    Turn joined() {
      return new Turn(free, users + 1);
    }
  }

  /** A place that is held until this is closed. */
  interface Hold extends AutoCloseable {
    @Override
    void close();
  }

  private final ConcurrentMap<Place, Turn> turns = new ConcurrentHashMap<>();

  /**
   * Waits for a place and takes it.
   *
   * @throws java.util.concurrent.TimeoutException after {@link #MAX_WAIT_SECONDS}
   */
  Hold take(Object directory, Name name)
      throws InterruptedException, java.util.concurrent.TimeoutException {
    Place place = new Place(directory, name);
    Turn turn = join(place);
    boolean taken = false;
    try {
      taken = turn.free.tryAcquire(MAX_WAIT_SECONDS, TimeUnit.SECONDS);
    } finally {
      if (!taken) {
        leave(place);
      }
    }
    if (!taken) {
      throw new java.util.concurrent.TimeoutException();
    }
    return new Held(place, turn.free);
  }

  private Turn join(Place place) {
    return turns.merge(place, new Turn(new Semaphore(1, true), 1), (old, fresh) -> old.joined());
  }

  private void leave(Place place) {
    turns.computeIfPresent(
        place, (key, turn) -> turn.users == 1 ? null : new Turn(turn.free, turn.users - 1));
  }

  /** How many places are held or waited for. */
  int size() {
    return turns.size();
  }

  private final class Held implements Hold {
    private final Place place;
    private final Semaphore free;
    private boolean closed;

    Held(Place place, Semaphore free) {
      this.place = place;
      this.free = free;
    }

    @Override
    public synchronized void close() {
      if (!closed) {
        closed = true;
        free.release();
        leave(place);
      }
    }
  }
}
