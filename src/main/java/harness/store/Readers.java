package harness.store;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The few threads that read, each over a connection of its own, so that no caller's virtual thread
 * holds its carrier in SQLite.
 */
final class Readers {
  static final int THREADS = 2;

  /** How many reads wait before their callers wait for room. */
  static final int QUEUE_READS = 1_024;

  private static final Logger LOG = System.getLogger(Readers.class.getName());

  private final Path file;
  private final Writer.Opening opening;
  private final Intake intake = new Intake(QUEUE_READS);
  private final List<Reader> readers = new ArrayList<>();

  Readers(Path file, Writer.Opening opening) {
    this.file = file;
    this.opening = opening;
    for (int number = 1; number <= THREADS; number++) {
      Reader reader = new Reader();
      readers.add(reader);
      Thread.ofPlatform().daemon().name("store-reader-" + number).start(reader::work);
    }
  }

  <T> T read(Pending.Work<T> work) {
    Pending<T> pending = new Pending<>(work, 0);
    if (!intake.put(pending)) {
      throw new StoreUnableException(file + ": the store is closed; start again");
    }
    return pending.await();
  }

  /** Takes no more; returns without waiting for what was taken. */
  void shut() {
    intake.close();
  }

  /** Ends after what waits has been answered. */
  void close() {
    shut();
    readers.forEach(reader -> reader.ended.join());
  }

  private final class Reader {
    private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
    private @Nullable Sqlite sqlite;

    void work() {
      try {
        for (List<Pending<?>> one = intake.take(1, 0); !one.isEmpty(); one = intake.take(1, 0)) {
          answer(one.getFirst());
        }
      } finally {
        letGo();
        ended.complete(true);
      }
    }

    private void answer(Pending<?> pending) {
      try {
        Sqlite current = sqlite;
        if (current == null) {
          current = opening.open();
          sqlite = current;
        }
        pending.run(current);
        pending.release();
      } catch (SQLException failure) {
        letGo();
        pending.fail(Failures.told(file, failure));
      } catch (RuntimeException failure) {
        pending.fail(failure);
      } catch (Error failure) {
        // Too large an answer for the memory that is left must not cost the thread.
        pending.fail(new StoreUnableException(file + " could not be read: " + failure, failure));
      }
    }

    private void letGo() {
      Sqlite current = sqlite;
      sqlite = null;
      if (current != null) {
        try {
          current.close();
        } catch (SQLException failure) {
          LOG.log(Level.WARNING, "a reader of " + file + " could not be closed", failure);
        }
      }
    }
  }
}
