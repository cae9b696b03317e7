package harness.store;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who writes: one at a time. Who finds nobody writing does it on its own thread, because a sync
 * takes less than two threads that wake each other; what comes meanwhile waits for a thread of the
 * store, and shares a transaction and one sync. Where a batch fails, it is rolled back and each of
 * its members tried alone, so that none suffers for another.
 */
final class Writer {
  /** How many changes wait before their callers wait for room. */
  static final int QUEUE_CHANGES = 1_024;

  /** How many changes share a commit. */
  static final int BATCH_CHANGES = 256;

  /** How many bytes share a commit, unless the first change alone has more. */
  static final long BATCH_BYTES = 8 << 20;

  /** How many pages the write-ahead log holds before they are moved into the file. */
  static final int LOG_PAGES = 2_048;

  /** Opens the connection that writes. */
  interface Opening {
    Sqlite open() throws SQLException;
  }

  private static final Logger LOG = System.getLogger(Writer.class.getName());

  private final Path file;
  private final Opening opening;
  private final Consumer<Throwable> onLost;
  private final Intake intake = new Intake(QUEUE_CHANGES);
  private final ReentrantLock pen = new ReentrantLock();
  private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
  private @Nullable Sqlite sqlite;
  private boolean moveFailed;
  private volatile boolean lost;
  private volatile boolean moveDue;

  /** Whether the last commit was shared: then a thread that gathers more of them is quicker. */
  private volatile boolean crowded;

  /**
   * Starts the thread.
   *
   * @param sqlite its first connection; after a failure it opens another one
   * @param onLost called once, on the thread that writes, when it is no longer known what is on the
   *     disk
   */
  Writer(Path file, Sqlite sqlite, Opening opening, Consumer<Throwable> onLost) {
    this.file = file;
    this.sqlite = sqlite;
    this.opening = opening;
    this.onLost = onLost;
    Thread.ofPlatform().daemon().name("store-writer").start(this::work);
  }

  /** Returns when the change is on stable storage. */
  <T> T write(Pending.Work<T> work, long bytes) {
    Pending<T> pending = new Pending<>(work, bytes);
    if (!intake.put(pending)) {
      throw refused();
    }
    if (!crowded && pen.tryLock()) {
      try {
        write(intake.takeNow(BATCH_CHANGES, BATCH_BYTES));
      } catch (RuntimeException | Error failure) {
        lose(failure);
      } finally {
        pen.unlock();
      }
    }
    intake.tell();
    return pending.await();
  }

  /** With the pen. */
  private void write(List<Pending<?>> batch) {
    if (!batch.isEmpty()) {
      crowded = batch.size() > 1;
      commit(batch);
      tend();
    }
  }

  /** Moves the write-ahead log into the file soon, so that the file can shrink. */
  void moveLog() {
    moveDue = true;
    boolean unused = write(_ -> true, 0);
  }

  /** Ends after what waits has been written. */
  void close() {
    intake.close();
    ended.join();
  }

  private StoreUnableException refused() {
    return new StoreUnableException(
        lost
            ? file + ": a sync failed, so what is in memory may not be true; start again"
            : file + ": the store is closed; start again");
  }

  private void work() {
    try {
      for (List<Pending<?>> batch = take(); !batch.isEmpty(); batch = take()) {
        pen.lock();
        try {
          write(batch);
        } finally {
          pen.unlock();
        }
      }
    } catch (RuntimeException | Error failure) {
      lose(failure);
    } finally {
      pen.lock();
      try {
        letGo();
      } finally {
        pen.unlock();
      }
      ended.complete(true);
    }
  }

  private void letGo() {
    Sqlite current = sqlite;
    if (current == null || lost) {
      // After a failed sync even a close would write: the last one moves the log.
      return;
    }
    try (current) {
      current.execute("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch (SQLException failure) {
      // All that was answered is in the log, which the next start reads.
      LOG.log(
          Level.WARNING, "the log of " + file + " stays beside it until the next start", failure);
    }
  }

  private List<Pending<?>> take() {
    return intake.take(BATCH_CHANGES, BATCH_BYTES);
  }

  private void commit(List<Pending<?>> batch) {
    if (lost) {
      batch.forEach(pending -> pending.fail(refused()));
      return;
    }
    try {
      transact(batch);
      batch.forEach(Pending::release);
    } catch (SQLException | RuntimeException failure) {
      rollBack(failure);
      // On a full disk the log can start over in the space it has, once it has been moved.
      moveDue = true;
      if (Failures.lost(failure)) {
        lose(failure);
      }
      if (batch.size() > 1 && Failures.ofOneChange(failure)) {
        batch.forEach(pending -> commit(List.of(pending)));
      } else {
        batch.forEach(pending -> pending.fail(Failures.told(file, failure)));
      }
    } catch (Error failure) {
      StoreUnableException died =
          new StoreUnableException("the writer of " + file + " died", failure);
      batch.forEach(pending -> pending.fail(died));
      throw failure;
    }
  }

  private void transact(List<Pending<?>> batch) throws SQLException {
    Sqlite current = sqlite;
    if (current == null) {
      current = opening.open();
      sqlite = current;
    }
    current.update("BEGIN IMMEDIATE");
    for (Pending<?> pending : batch) {
      pending.run(current);
    }
    current.update("COMMIT");
  }

  private void rollBack(Exception failure) {
    Sqlite current = sqlite;
    if (current == null) {
      return;
    }
    try {
      current.update("ROLLBACK");
    } catch (SQLException second) {
      // SQLite rolls back by itself after some failures; a new connection is sound in any case.
      failure.addSuppressed(second);
      current.discard(failure);
      sqlite = null;
    }
  }

  /** Moves the log into the file by itself, because SQLite's own way keeps a failed sync secret. */
  private void tend() {
    Sqlite current = sqlite;
    if (current == null || lost) {
      return;
    }
    try {
      long waiting =
          current
              .first("PRAGMA wal_checkpoint(NOOP)", row -> row.getLong(2) - row.getLong(3))
              .orElseThrow();
      if (waiting >= LOG_PAGES || moveDue) {
        // What a reader still looks at can't be moved yet; the next commit tries again.
        boolean due = moveDue;
        moveDue = false;
        boolean left =
            current
                .first("PRAGMA wal_checkpoint(PASSIVE)", row -> row.getLong(2) > row.getLong(3))
                .orElseThrow();
        if (due && left) {
          moveDue = true;
        }
        moveFailed = false;
      }
    } catch (SQLException failure) {
      if (Failures.lost(failure)) {
        lose(failure);
      } else if (!moveFailed) {
        // Said once, since each commit tries again.
        moveFailed = true;
        LOG.log(
            Level.WARNING,
            Failures.unable(file, failure).getMessage() + "; its log grows until then");
      }
    }
  }

  private void lose(Throwable failure) {
    lost = true;
    intake.close();
    onLost.accept(failure);
    for (List<Pending<?>> rest = take(); !rest.isEmpty(); rest = take()) {
      rest.forEach(pending -> pending.fail(refused()));
    }
  }
}
