package harness.store;

import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteOpenMode;

/** One connection and its prepared statements; used by one platform thread at a time. */
final class Sqlite implements AutoCloseable {
  /** How long a statement waits for a visitor such as the sqlite3 program to let go. */
  private static final int BUSY_MILLIS = 5_000;

  static {
    // A built program has the driver's library beside its jar; elsewhere the driver unpacks its
    // own.
    URI driver =
        URI.create(
            SQLiteConfig.class.getProtectionDomain().getCodeSource().getLocation().toString());
    System.setProperty("org.sqlite.lib.path", Path.of(driver).resolveSibling("").toString());
  }

  /** How a connection that was just opened is changed; tests break the disk with it. */
  interface Wrapping {
    Connection wrap(Connection connection) throws SQLException;
  }

  /** Reads one row. */
  interface Row<T> {
    T read(ResultSet row) throws SQLException;
  }

  private final Connection connection;
  private final Map<String, PreparedStatement> statements = new HashMap<>();

  private Sqlite(Connection connection) {
    this.connection = connection;
  }

  /**
   * Opens a file that exists: one that was moved away must not be replaced by an empty one.
   *
   * @param cacheKib how much of the file it may keep in memory
   * @param wrapping what the connection is handed to before it is used
   */
  static Sqlite open(Path file, int cacheKib, Wrapping wrapping) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.resetOpenMode(SQLiteOpenMode.CREATE);
    config.setOpenMode(SQLiteOpenMode.READWRITE);
    config.setOpenMode(SQLiteOpenMode.OPEN_URI);
    config.setBusyTimeout(BUSY_MILLIS);
    // The driver would else ask for the last row's id after each insert, a statement of its own.
    config.setGetGeneratedKeys(false);
    // As a URI, because the driver takes a '?' in a plain path for the start of its own options.
    Connection connection = config.createConnection("jdbc:sqlite:" + file.toUri());
    Sqlite sqlite = new Sqlite(wrapping.wrap(connection));
    try {
      sqlite.execute("PRAGMA cache_size = -" + cacheKib);
      sqlite.execute("PRAGMA temp_store = MEMORY");
      sqlite.execute("PRAGMA trusted_schema = OFF");
      sqlite.execute("PRAGMA cell_size_check = ON");
      return sqlite;
    } catch (SQLException failure) {
      sqlite.discard(failure);
      throw failure;
    }
  }

  /**
   * Runs a statement that is not worth preparing, to its end: some pragmas do a part of their work
   * in each step, and the driver takes but one step of a prepared one.
   */
  void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }

  /** Runs a prepared statement; says how many rows it changed. */
  int update(String sql, Object... values) throws SQLException {
    return bound(sql, values).executeUpdate();
  }

  /** The rows of a prepared query. */
  <T> List<T> all(String sql, Row<T> row, Object... values) throws SQLException {
    List<T> all = new ArrayList<>();
    try (ResultSet rows = bound(sql, values).executeQuery()) {
      while (rows.next()) {
        all.add(row.read(rows));
      }
    }
    return all;
  }

  /** The rows of a prepared query up to the one that brings their sizes to {@code most}. */
  <T> List<T> some(String sql, Row<T> row, ToLongFunction<T> size, long most, Object... values)
      throws SQLException {
    List<T> some = new ArrayList<>();
    try (ResultSet rows = bound(sql, values).executeQuery()) {
      for (long sum = 0; sum < most && rows.next(); ) {
        T one = row.read(rows);
        some.add(one);
        sum += size.applyAsLong(one);
      }
    }
    return some;
  }

  /** The first row of a prepared query. */
  <T> Optional<T> first(String sql, Row<T> row, Object... values) throws SQLException {
    try (ResultSet rows = bound(sql, values).executeQuery()) {
      return rows.next() ? Optional.of(row.read(rows)) : Optional.empty();
    }
  }

  /** The one number that a pragma or a count answers. */
  long number(String sql, Object... values) throws SQLException {
    return first(sql, row -> row.getLong(1), values).orElseThrow();
  }

  private PreparedStatement bound(String sql, Object... values) throws SQLException {
    PreparedStatement statement = statements.get(sql);
    if (statement == null) {
      statement = connection.prepareStatement(sql);
      statements.put(sql, statement);
    }
    for (int at = 0; at < values.length; at++) {
      statement.setObject(at + 1, values[at]);
    }
    return statement;
  }

  /** Closes after a failure, which is what its reader is to learn of. */
  void discard(Exception failure) {
    try {
      close();
    } catch (SQLException second) {
      failure.addSuppressed(second);
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
