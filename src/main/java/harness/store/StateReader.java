package harness.store;

import harness.agent.Instance;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * A state directory that is only looked at, also while a Harness owns it. Used by one thread, which
 * has to be one of the platform. All methods throw {@link StoreUnableException} where the file
 * can't be read.
 */
public final class StateReader implements AutoCloseable {
  /** How much of the file it may keep in memory. */
  private static final int CACHE_KIB = 4_096;

  private final Path file;
  private final Sqlite sqlite;

  private StateReader(Path file, Sqlite sqlite) {
    this.file = file;
    this.sqlite = sqlite;
  }

  /**
   * @throws StoreUnableException where the directory holds no state, or one of a newer version
   */
  public static StateReader open(Path stateDirectory) {
    Path file = stateDirectory.resolve(SqliteEventStore.FILE);
    if (!Files.isRegularFile(file)) {
      throw new StoreUnableException(
          stateDirectory + " holds no state: it has no file " + SqliteEventStore.FILE);
    }
    try {
      Sqlite sqlite = Sqlite.open(file, CACHE_KIB, connection -> connection);
      StateReader reader = new StateReader(file, sqlite);
      try {
        sqlite.execute("PRAGMA query_only = ON");
        Schema.requireKnown(sqlite, file.toString());
        return reader;
      } catch (SQLException | RuntimeException failure) {
        sqlite.discard(failure);
        throw failure;
      }
    } catch (SQLException failure) {
      throw Failures.unable(file, failure);
    }
  }

  /** The file that is read. */
  public Path file() {
    return file;
  }

  /** The conversation, if it is held. */
  public Optional<Held> find(Instance instance) {
    return answer(Reads.find(instance));
  }

  /** All that are held, in the order in which they were created. */
  public List<Held> held() {
    return answer(Reads.held());
  }

  /**
   * Events of a conversation in order, as {@link EventStore#read} gives them.
   *
   * @throws CorruptEventException where one does not match its checksum
   */
  public List<StoredEvent> read(Instance instance, long from, int atMost) {
    return answer(Reads.events(instance, from, atMost));
  }

  /** The feed of faults, as {@link EventStore#faults} gives it. */
  public List<StoredFault> faults(long from, int atMost) {
    return answer(Reads.faults(from, atMost));
  }

  /**
   * What SQLite itself finds wrong with the file, at most 100 sentences; empty where it is sound.
   */
  public List<String> damages() {
    return answer(
        sqlite ->
            sqlite.all("PRAGMA integrity_check(100)", row -> row.getString(1)).stream()
                .filter(line -> !line.equals("ok"))
                .toList());
  }

  private <T> T answer(Pending.Work<T> work) {
    try {
      return work.on(sqlite);
    } catch (SQLException failure) {
      throw Failures.unable(file, failure);
    }
  }

  @Override
  public void close() {
    try {
      sqlite.close();
    } catch (SQLException failure) {
      throw Failures.unable(file, failure);
    }
  }
}
