package harness.store;

import harness.agent.Address;
import harness.agent.Instance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The store over SQLite: one file, {@value #FILE}, in a state directory that one process owns.
 * Callers of any thread wait for the few threads of the store, which alone touch SQLite; appends
 * that arrive together share one sync.
 */
public final class SqliteEventStore implements EventStore {
  public static final String FILE = "harness.db";

  /** What the writer keeps of the file in memory. */
  private static final int WRITER_CACHE_KIB = 16_384;

  /** What each reader keeps of the file in memory. */
  private static final int READER_CACHE_KIB = 4_096;

  /** What the write-ahead log shrinks to when it had to grow. */
  private static final int LOG_BYTES = 16 << 20;

  private final StateLock lock;
  private final Path file;
  private final Writer writer;
  private final Readers readers;
  private final NewestEpochs epochs = new NewestEpochs();

  private SqliteEventStore(
      StateLock lock,
      Path file,
      Sqlite first,
      Sqlite.Wrapping wrapping,
      Consumer<Throwable> onLost) {
    this.lock = lock;
    this.file = file;
    this.readers = new Readers(file, () -> openReader(file));
    this.writer =
        new Writer(file, first, () -> openWriter(file, wrapping), failure -> lose(failure, onLost));
  }

  /**
   * Opens the store of a state directory, which is created for its owner alone where it is missing.
   *
   * @param onLost called once, on a thread of its own, when a sync failed: what is in memory is
   *     then no longer known to be true, the store refuses everything, and the process is to end
   * @throws StoreUnableException where another process owns the directory, a newer program wrote
   *     it, or it can't be read and written
   */
  public static SqliteEventStore open(Path stateDirectory, Consumer<Throwable> onLost) {
    return open(stateDirectory, onLost, connection -> connection);
  }

  static SqliteEventStore open(
      Path stateDirectory, Consumer<Throwable> onLost, Sqlite.Wrapping wrapping) {
    StateLock lock = StateLock.take(stateDirectory);
    Path file = lock.directory().resolve(FILE);
    SqliteEventStore store = null;
    try {
      create(file);
      Sqlite first = openWriter(file, wrapping);
      try {
        // The names of the file and its log must be there after a power cut too.
        lock.sync();
      } catch (IOException failure) {
        first.discard(failure);
        throw failure;
      }
      store = new SqliteEventStore(lock, file, first, wrapping, onLost);
      return store;
    } catch (IOException failure) {
      throw new StoreUnableException(
          file + " can't be made to last (" + failure + "); look at its file system", failure);
    } catch (SQLException failure) {
      throw Failures.unable(file, failure);
    } finally {
      if (store == null) {
        lock.close();
      }
    }
  }

  private static void create(Path file) throws IOException {
    Path log = file.resolveSibling(FILE + "-wal");
    if (Files.exists(log) && !Files.exists(file)) {
      throw new StoreUnableException(
          log + " is there without " + file + "; put that file back, or move both away");
    }
    StateLock.createIfMissing(file);
  }

  private static Sqlite openWriter(Path file, Sqlite.Wrapping wrapping) throws SQLException {
    Sqlite sqlite = Sqlite.open(file, WRITER_CACHE_KIB, wrapping);
    try {
      Schema.prepare(sqlite, file.toString());
      sqlite.execute("PRAGMA synchronous = FULL");
      sqlite.execute("PRAGMA wal_autocheckpoint = 0");
      sqlite.execute("PRAGMA journal_size_limit = " + LOG_BYTES);
      return sqlite;
    } catch (SQLException | RuntimeException failure) {
      sqlite.discard(failure);
      throw failure;
    }
  }

  private static Sqlite openReader(Path file) throws SQLException {
    Sqlite sqlite = Sqlite.open(file, READER_CACHE_KIB, connection -> connection);
    try {
      sqlite.execute("PRAGMA query_only = ON");
      return sqlite;
    } catch (SQLException failure) {
      sqlite.discard(failure);
      throw failure;
    }
  }

  private void lose(Throwable failure, Consumer<Throwable> onLost) {
    readers.shut();
    // On a thread of its own, because it may end the process and so wait for the writer.
    Thread.ofPlatform().daemon().name("store-lost").start(() -> onLost.accept(failure));
  }

  @Override
  public Appended append(Append append) {
    Appending appending = new Appending(append);
    return append.claims().stream().anyMatch(Claim.Epoch.class::isInstance)
        ? epochs.change(() -> writer.write(appending, appending.bytes()))
        : writer.write(appending, appending.bytes());
  }

  @Override
  public Optional<Held> find(Instance instance) {
    return readers.read(Reads.find(instance));
  }

  @Override
  public Opening opening(Instance instance) {
    return readers.read(Reads.opening(instance));
  }

  @Override
  public List<StoredEvent> read(Instance instance, long from, int atMost) {
    return readers.read(Reads.events(instance, from, atMost));
  }

  @Override
  public Optional<Claim.Key> key(String scope, String key) {
    return readers.read(Reads.key(scope, key));
  }

  @Override
  public Optional<Claim.Epoch> epoch(Address address) {
    return epochs.get(address, () -> readers.read(Reads.epoch(address)));
  }

  @Override
  public List<Held> unsettled() {
    return readers.read(Reads.unsettled());
  }

  @Override
  public List<StoredFault> faults(long from, int atMost) {
    return readers.read(Reads.faults(from, atMost));
  }

  @Override
  public long faultsEnd() {
    return readers.read(Reads.faultsEnd());
  }

  @Override
  public List<Instance> free(Set<Instance> live, Instant before, Instant now) {
    List<Freeing.Candidate> candidates =
        readers.read(Freeing.candidates(before)).stream()
            .filter(candidate -> !live.contains(candidate.instance()))
            .toList();
    List<Instance> freed = new ArrayList<>();
    for (int from = 0; from < candidates.size(); from += Freeing.STEP_CONVERSATIONS) {
      int to = Math.min(candidates.size(), from + Freeing.STEP_CONVERSATIONS);
      freed.addAll(writer.write(Freeing.free(candidates.subList(from, to), before, now), 0));
    }
    boolean unused = repeat(Freeing.removeEvents());
    unused = repeat(Freeing.expireKeys(now));
    unused = epochs.change(() -> repeat(Freeing.expireRest(now)));
    // Also what a call before it removed, that a crash cut short.
    if (repeat(Freeing.shrink())) {
      writer.moveLog();
    }
    return freed;
  }

  /** Takes steps until there is nothing left to do; says whether there was anything. */
  private boolean repeat(Pending.Work<Boolean> step) {
    boolean any = false;
    while (writer.write(step, Freeing.STEP_BYTES)) {
      any = true;
    }
    return any;
  }

  /** Ends after what waits has been stored and answered. */
  @Override
  public void close() {
    writer.close();
    readers.close();
    lock.close();
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
