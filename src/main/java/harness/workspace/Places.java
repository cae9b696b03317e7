package harness.workspace;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The places that are being written in this process, each by one at a time. As many are held here
 * as there are targets open or waited for.
 */
final class Places {
  /** How long a place is waited for. */
  static final Duration MAX_WAIT = Duration.ofSeconds(60);

  /** Of the whole process, as the files are. */
  static final Places OF_PROCESS = new Places(MAX_WAIT);

  /**
   * A place.
   *
   * @param directory the key of the directory
   * @param name the name in it
   */
  private record Place(Object directory, Name name) {}

  private record Line(Semaphore free, int users) {
    Line joined() {
      return new Line(free, users + 1);
    }
  }

  /** A place that is held until this is closed. */
  interface Hold extends AutoCloseable {
    @Override
    void close();
  }

  private final Duration maxWait;
  private final ConcurrentMap<Place, Line> lines = new ConcurrentHashMap<>();

  Places(Duration maxWait) {
    this.maxWait = maxWait;
  }

  /**
   * Waits for a place and takes it.
   *
   * @throws TimeoutException after the longest wait
   */
  Hold take(Object directory, Name name) throws InterruptedException, TimeoutException {
    Place place = new Place(directory, name);
    Line line = join(place);
    boolean taken = false;
    try {
      taken = line.free.tryAcquire(maxWait.toMillis(), TimeUnit.MILLISECONDS);
    } finally {
      if (!taken) {
        leave(place);
      }
    }
    if (!taken) {
      throw new TimeoutException();
    }
    return new Held(place, line.free);
  }

  private Line join(Place place) {
    return lines.merge(place, new Line(new Semaphore(1, true), 1), (old, fresh) -> old.joined());
  }

  private void leave(Place place) {
    lines.computeIfPresent(
        place, (key, line) -> line.users == 1 ? null : new Line(line.free, line.users - 1));
  }

  /** How many places are held or waited for. */
  int size() {
    return lines.size();
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
