package harness.wire;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.Statement;

/** Changes a byte of a stored event, as a failing disk does. */
public final class Damage {
  private Damage() {}

  /** Damages the first event of a conversation. */
  public static void to(Path state, String instanceId) throws Exception {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + state.resolve("harness.db"));
        PreparedStatement statement =
            connection.prepareStatement(
                """
                UPDATE event SET body = CAST(x'00' || substr(body, 2) AS BLOB)
                WHERE sequence = 0 AND conversation =
                (SELECT id FROM conversation WHERE instance = ?)""")) {
      statement.setString(1, instanceId);
      if (statement.executeUpdate() != 1) {
        throw new AssertionError("there is no event of " + instanceId + " to damage");
      }
    }
  }

  /**
   * Changes a byte of the file wherever these words stand, which may be more than once: pages keep
   * what was moved away. Nobody may have it open.
   */
  public static void flip(Path state, String words) throws Exception {
    Path file = state.resolve("harness.db");
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA wal_checkpoint(TRUNCATE)");
    }
    byte[] bytes = Files.readAllBytes(file);
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    if (!text.contains(words)) {
      throw new AssertionError("'" + words + "' is not in " + file);
    }
    for (int at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
      bytes[at] ^= 1;
    }
    Files.write(file, bytes);
  }

  /** Changes the row of a conversation. */
  public static void row(Path state, String instanceId, String change) throws Exception {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + state.resolve("harness.db"));
        PreparedStatement statement =
            connection.prepareStatement(
                "UPDATE conversation SET " + change + " WHERE instance = ?")) {
      statement.setString(1, instanceId);
      statement.executeUpdate();
    }
  }
}
