package harness.store;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Another program at the store's file, as the sqlite3 shell would be: it looks, holds, damages. */
final class Visitor implements AutoCloseable {
  private static final int LOG_HEADER_BYTES = 32;
  private static final int FRAME_HEADER_BYTES = 24;
  private static final int PAGE_BYTES = 4096;

  private final Connection connection;

  Visitor(Path state) throws SQLException {
    connection = DriverManager.getConnection("jdbc:sqlite:" + file(state));
  }

  static Path file(Path state) {
    return state.resolve("harness.db");
  }

  /** Keeps the store's writer waiting until the next {@link #letGo}. */
  void hold() throws SQLException {
    run("BEGIN IMMEDIATE");
  }

  void letGo() throws SQLException {
    run("ROLLBACK");
  }

  int run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.executeUpdate(sql);
    }
  }

  String ask(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? rows.getString(1) : "";
    }
  }

  /** How many commits lie in a write-ahead log that has not been started over. */
  static int commits(Path state) throws Exception {
    ByteBuffer log = ByteBuffer.wrap(Files.readAllBytes(state.resolve("harness.db-wal")));
    int commits = 0;
    for (int at = LOG_HEADER_BYTES; at < log.limit(); at += FRAME_HEADER_BYTES + PAGE_BYTES) {
      // The frame that ends a commit says how many pages the file has after it, others say 0.
      if (log.getInt(at + Integer.BYTES) != 0) {
        commits++;
      }
    }
    return commits;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
