package harness.store;

import java.sql.SQLException;
import java.util.List;

/** The tables of the file, and which version of them it has. */
final class Schema {
  static final int VERSION = 2;

  /*
   * Events lie in the order of their arrival, whatever their conversation: those of one commit
   * share pages, so that a commit of many conversations writes few of them.
   *
   * A conversation's row outlives its events, because its faults, keys and epochs do. Its stage is
   * 0 while it is held, 1 when it was freed and events remain, 2 when its keys remain, 3 when only
   * its faults and epochs do. Its id is never used again: a life that follows has another one.
   */
  private static final List<String> TABLES =
      List.of(
          """
          CREATE TABLE conversation (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            agent TEXT NOT NULL,
            instance TEXT NOT NULL,
            address TEXT NOT NULL,
            life TEXT NOT NULL,
            events INTEGER NOT NULL,
            unsettled INTEGER NOT NULL,
            touched INTEGER NOT NULL,
            stage INTEGER NOT NULL DEFAULT 0,
            freed INTEGER NOT NULL DEFAULT 0
          ) STRICT""",
          "CREATE UNIQUE INDEX conversation_held ON conversation (agent, instance) WHERE stage = 0",
          "CREATE INDEX conversation_unsettled ON conversation (id) WHERE unsettled > 0",
          "CREATE INDEX conversation_freed ON conversation (stage, freed) WHERE stage > 0",
          "CREATE INDEX conversation_address ON conversation (address) WHERE address <> ''",
          """
          CREATE TABLE event (
            conversation INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            place INTEGER NOT NULL,
            at INTEGER NOT NULL,
            checksum INTEGER NOT NULL,
            body BLOB NOT NULL
          ) STRICT""",
          "CREATE UNIQUE INDEX event_sequence ON event (conversation, sequence)",
          """
          CREATE TABLE claimed_key (
            scope TEXT NOT NULL,
            key TEXT NOT NULL,
            conversation INTEGER NOT NULL,
            at INTEGER NOT NULL,
            digest BLOB NOT NULL,
            answer BLOB NOT NULL,
            PRIMARY KEY (scope, key)
          ) STRICT, WITHOUT ROWID""",
          "CREATE INDEX claimed_key_conversation ON claimed_key (conversation)",
          """
          CREATE TABLE claimed_epoch (
            address TEXT NOT NULL,
            epoch INTEGER NOT NULL,
            conversation INTEGER NOT NULL,
            at INTEGER NOT NULL,
            reason TEXT NOT NULL,
            PRIMARY KEY (address, epoch)
          ) STRICT, WITHOUT ROWID""",
          "CREATE INDEX claimed_epoch_conversation ON claimed_epoch (conversation)",
          """
          CREATE TABLE fault (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            conversation INTEGER NOT NULL,
            at INTEGER NOT NULL,
            body BLOB NOT NULL
          ) STRICT""",
          "CREATE INDEX fault_conversation ON fault (conversation)");

  /** In the first version addresses of two Agents could have one name. */
  private static final List<String> FROM_FIRST =
      List.of(
          "UPDATE conversation SET address = agent || ' ' || address WHERE address <> ''",
          """
          UPDATE claimed_epoch SET address = coalesce(
            (SELECT agent FROM conversation WHERE id = claimed_epoch.conversation), '')
            || ' ' || address""");

  private Schema() {}

  /**
   * Makes the tables where there are none yet, and of those of an earlier version these.
   *
   * @throws StoreUnableException where the file is of a version that this program does not know
   */
  static void prepare(Sqlite sqlite, String file) throws SQLException {
    long version = requireKnown(sqlite, file);
    if (version == VERSION) {
      return;
    }
    if (version == 1) {
      change(sqlite, FROM_FIRST);
      return;
    }
    // Both shape the file itself, so they come before anything is in it.
    sqlite.execute("PRAGMA auto_vacuum = INCREMENTAL");
    sqlite.execute("PRAGMA journal_mode = WAL");
    sqlite.execute("PRAGMA synchronous = FULL");
    change(sqlite, TABLES);
  }

  private static void change(Sqlite sqlite, List<String> statements) throws SQLException {
    sqlite.execute("BEGIN IMMEDIATE");
    for (String statement : statements) {
      sqlite.execute(statement);
    }
    sqlite.execute("PRAGMA user_version = " + VERSION);
    sqlite.execute("COMMIT");
  }

  /**
   * The version of the file; 0 where it has no tables.
   *
   * @throws StoreUnableException where this program does not know it
   */
  static long requireKnown(Sqlite sqlite, String file) throws SQLException {
    long version = sqlite.number("PRAGMA user_version");
    if (version > VERSION) {
      throw new StoreUnableException(
          file
              + " was written by a newer harness (its version is "
              + version
              + ", this one knows "
              + VERSION
              + "); start that harness, or give this one another state directory");
    }
    return version;
  }
}
