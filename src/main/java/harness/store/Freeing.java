package harness.store;

import harness.agent.Instance;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * How conversations leave the file: first their rows say so, which is when readers lose them, then
 * their events, keys, faults and epochs go when each is due. Every step is small enough to share
 * the writer with appends, and one that a crash cut short is taken up by the next call.
 */
final class Freeing {
  /** How many conversations one step frees or expires. */
  static final int STEP_CONVERSATIONS = 256;

  /** How many events one step removes. */
  static final int STEP_EVENTS = 1_024;

  /** How many bytes of events one step removes, unless the first alone has more. */
  static final long STEP_BYTES = 8 << 20;

  /** How many pages one step gives back to the file system. */
  static final int STEP_PAGES = 1_024;

  /** A conversation that may be freed, unless it is touched first. */
  record Candidate(long id, Instance instance) {}

  private record Size(long sequence, long bytes) {}

  private Freeing() {}

  static Pending.Work<List<Candidate>> candidates(Instant before) {
    return sqlite ->
        sqlite.all(
            """
            SELECT id, agent, instance FROM conversation
            WHERE stage = 0 AND unsettled = 0 AND touched < ?""",
            row ->
                new Candidate(row.getLong(1), Reads.instance(row.getString(2), row.getString(3))),
            Micros.of(before));
  }

  /** Frees those that are still as they were when they were looked up. */
  static Pending.Work<List<Instance>> free(
      List<Candidate> candidates, Instant before, Instant now) {
    return sqlite -> {
      List<Instance> freed = new ArrayList<>();
      for (Candidate candidate : candidates) {
        int changed =
            sqlite.update(
                """
                UPDATE conversation SET stage = 1, freed = ?
                WHERE id = ? AND stage = 0 AND unsettled = 0 AND touched < ?""",
                Micros.of(now),
                candidate.id(),
                Micros.of(before));
        if (changed == 1) {
          freed.add(candidate.instance());
        }
      }
      return freed;
    };
  }

  /** Removes events of one freed conversation; false where there was none left. */
  static Pending.Work<Boolean> removeEvents() {
    return sqlite -> {
      List<Long> freed =
          sqlite.all(
              "SELECT id FROM conversation WHERE stage = 1 ORDER BY freed LIMIT 1",
              row -> row.getLong(1));
      if (freed.isEmpty()) {
        return false;
      }
      long id = freed.getFirst();
      List<Size> sizes =
          sqlite.all(
              """
              SELECT sequence, length(body) FROM event WHERE conversation = ?
              ORDER BY sequence LIMIT ?""",
              row -> new Size(row.getLong(1), row.getLong(2)),
              id,
              STEP_EVENTS);
      if (sizes.isEmpty()) {
        sqlite.update("UPDATE conversation SET stage = 2 WHERE id = ?", id);
        return true;
      }
      long sum = 0;
      long last = sizes.getFirst().sequence();
      for (Size size : sizes) {
        sum += size.bytes();
        if (sum > STEP_BYTES) {
          break;
        }
        last = size.sequence();
      }
      sqlite.update("DELETE FROM event WHERE conversation = ? AND sequence <= ?", id, last);
      return true;
    };
  }

  /** Removes keys of conversations that were freed long enough ago; false where none was left. */
  static Pending.Work<Boolean> expireKeys(Instant now) {
    return sqlite -> {
      List<Long> due = due(sqlite, 2, now.minus(EventStore.KEYS_OUTLIVE));
      for (long id : due) {
        sqlite.update("DELETE FROM claimed_key WHERE conversation = ?", id);
        sqlite.update("UPDATE conversation SET stage = 3 WHERE id = ?", id);
      }
      return !due.isEmpty();
    };
  }

  /** Removes all that is left of conversations freed long enough ago; false where none was left. */
  static Pending.Work<Boolean> expireRest(Instant now) {
    return sqlite -> {
      List<Long> due = due(sqlite, 3, now.minus(EventStore.FAULTS_OUTLIVE));
      for (long id : due) {
        String address =
            sqlite
                .first("SELECT address FROM conversation WHERE id = ?", row -> row.getString(1), id)
                .orElseThrow();
        sqlite.update("DELETE FROM fault WHERE conversation = ?", id);
        sqlite.update("DELETE FROM conversation WHERE id = ?", id);
        expireEpochs(sqlite, id, address);
      }
      return !due.isEmpty();
    };
  }

  /**
   * The epochs of an address go with the last of its conversations: while a later one is there, its
   * number must not be given out again.
   */
  private static void expireEpochs(Sqlite sqlite, long conversation, String address)
      throws SQLException {
    if (!address.isEmpty()) {
      sqlite.update(
          """
          DELETE FROM claimed_epoch
          WHERE address = ?1 AND NOT EXISTS (SELECT 1 FROM conversation WHERE address = ?1)
          AND NOT EXISTS (SELECT 1 FROM conversation WHERE id = claimed_epoch.conversation)""",
          address);
    }
    sqlite.update(
        """
        DELETE FROM claimed_epoch
        WHERE conversation = ? AND NOT EXISTS
        (SELECT 1 FROM conversation WHERE conversation.address = claimed_epoch.address)""",
        conversation);
  }

  private static List<Long> due(Sqlite sqlite, int stage, Instant freedUntil) throws SQLException {
    return sqlite.all(
        "SELECT id FROM conversation WHERE stage = ? AND stage > 0 AND freed <= ? LIMIT ?",
        row -> row.getLong(1),
        stage,
        Micros.of(freedUntil),
        STEP_CONVERSATIONS);
  }

  /** Moves free pages out of the file; false where there was nothing to gain. */
  static Pending.Work<Boolean> shrink() {
    return sqlite -> {
      long before = sqlite.number("PRAGMA freelist_count");
      if (before == 0) {
        return false;
      }
      sqlite.execute("PRAGMA incremental_vacuum(" + STEP_PAGES + ")");
      return sqlite.number("PRAGMA freelist_count") < before;
    };
  }
}
