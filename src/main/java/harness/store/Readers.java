package harness.store;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/**
 * The connections that read, each for one at a time. Who reads does it on its own thread, and waits
 * for a connection where none is free; no interrupt ends that wait.
 */
final class Readers {
  static final int CONNECTIONS = 2;

  private static final Logger LOG = System.getLogger(Readers.class.getName());

  private final Path file;
  private final Writer.Opening opening;
  private final Semaphore free = new Semaphore(CONNECTIONS, true);
  private final Queue<Sqlite> idle = new ConcurrentLinkedQueue<>();
  private volatile boolean shut;

  /** Opens a connection when it is first needed. */
  Readers(Path file, Writer.Opening opening) {
    this.file = file;
    this.opening = opening;
  }

  <T> T read(Pending.Work<T> work) {
    free.acquireUninterruptibly();
    try {
      if (shut) {
        throw new StoreUnableException(file + ": the store is closed; start again");
      }
      return answer(work);
    } finally {
      free.release();
    }
  }

  private <T> T answer(Pending.Work<T> work) {
    boolean sound = false;
    Optional<Sqlite> taken = Optional.ofNullable(idle.poll());
    try {
      Sqlite sqlite = taken.isPresent() ? taken.get() : opening.open();
      taken = Optional.of(sqlite);
      T answer = work.on(sqlite);
      sound = true;
      return answer;
    } catch (SQLException failure) {
      throw Failures.told(file, failure);
    } catch (RuntimeException failure) {
      sound = true;
      throw failure;
    } catch (Error failure) {
      // Too large an answer for the memory that is left must not cost more than itself.
      throw new StoreUnableException(file + " could not be read: " + failure, failure);
    } finally {
      taken.ifPresent(sound ? idle::add : this::letGo);
    }
  }

  /** Takes no more; returns without waiting for what is being read. */
  void shut() {
    shut = true;
  }

  /** Ends after what is being read has been answered. */
  void close() {
    shut();
    free.acquireUninterruptibly(CONNECTIONS);
    try {
      for (Sqlite one = idle.poll(); one != null; one = idle.poll()) {
        letGo(one);
      }
    } finally {
      free.release(CONNECTIONS);
    }
  }

  private void letGo(Sqlite one) {
    try {
      one.close();
    } catch (SQLException failure) {
      LOG.log(Level.WARNING, "a reader of " + file + " could not be closed", failure);
    }
  }
}
