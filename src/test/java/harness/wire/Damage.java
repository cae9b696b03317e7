package harness.wire;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;

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
