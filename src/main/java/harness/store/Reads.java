package harness.store;

import harness.agent.Address;
import harness.agent.Instance;
import harness.agent.InstanceId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The questions that the file answers; each sees one state of it. */
final class Reads {
  private static final String HELD =
      "SELECT agent, instance, life, events, unsettled, touched FROM conversation WHERE ";

  /** A row of the log, with what says whether it is the one that was asked for. */
  private record Logged(
      long conversation, long events, StoredEvent event, long atMicros, long sum) {
    static Logged of(ResultSet row) throws SQLException {
      long at = row.getLong(5);
      byte[] body = row.getBytes(7);
      StoredEvent event =
          new StoredEvent(
              row.getLong(3), row.getInt(4), Micros.at(at), body == null ? new byte[0] : body);
      return new Logged(row.getLong(1), row.getLong(2), event, at, row.getLong(6));
    }

    long bytes() {
      return event.body().length;
    }

    boolean missing() {
      return event.sequence() < 0;
    }

    boolean intact(long sequence) {
      return event.sequence() == sequence
          && sum == Checksum.of(conversation, sequence, event.index(), atMicros, event.body());
    }
  }

  private Reads() {}

  static Pending.Work<Optional<Held>> find(Instance instance) {
    return sqlite ->
        sqlite.first(
            HELD + "agent = ? AND instance = ? AND stage = 0",
            Reads::held,
            instance.agent(),
            instance.id().value());
  }

  static Pending.Work<Opening> opening(Instance instance) {
    return sqlite -> {
      Optional<Held> held = find(instance).on(sqlite);
      return held.isPresent()
          ? new Opening(held, Optional.empty(), false)
          : new Opening(held, lastFault(sqlite, instance), lived(sqlite, instance));
    };
  }

  private static boolean lived(Sqlite sqlite, Instance instance) throws SQLException {
    return sqlite
        .first(
            """
            SELECT 1 FROM conversation
            WHERE address = ? AND address <> '' AND agent = ? AND instance = ? AND stage > 0
            LIMIT 1""",
            row -> row.getInt(1),
            Address.generation(instance).address().key(),
            instance.agent(),
            instance.id().value())
        .isPresent();
  }

  private static Optional<byte[]> lastFault(Sqlite sqlite, Instance instance) throws SQLException {
    return sqlite.first(
        """
        SELECT f.body FROM conversation c JOIN fault f ON f.conversation = c.id
        WHERE c.address = ? AND c.address <> '' AND c.agent = ? AND c.instance = ? AND c.stage > 0
        ORDER BY f.id DESC LIMIT 1""",
        row -> row.getBytes(1),
        Address.generation(instance).address().key(),
        instance.agent(),
        instance.id().value());
  }

  static Pending.Work<List<Held>> unsettled() {
    return sqlite -> sqlite.all(HELD + "unsettled > 0 ORDER BY id", Reads::held);
  }

  static Pending.Work<List<Held>> held() {
    return sqlite -> sqlite.all(HELD + "stage = 0 ORDER BY id", Reads::held);
  }

  static Pending.Work<List<StoredEvent>> events(Instance instance, long from, int atMost) {
    return sqlite -> {
      // The conversation's row comes without events too: its count says how many there must be.
      List<Logged> rows =
          sqlite.some(
              """
              SELECT c.id, c.events, coalesce(e.sequence, -1), e.place, e.at, e.checksum, e.body
              FROM conversation c LEFT JOIN event e ON e.conversation = c.id AND e.sequence >= ?
              WHERE c.agent = ? AND c.instance = ? AND c.stage = 0
              ORDER BY e.sequence LIMIT ?""",
              Logged::of,
              Logged::bytes,
              EventStore.READ_BYTES,
              from,
              instance.agent(),
              instance.id().value(),
              atMost);
      List<StoredEvent> events = new ArrayList<>(rows.size());
      for (Logged row : rows) {
        long sequence = from + events.size();
        if (row.missing() && sequence >= row.events()) {
          break;
        }
        if (!row.intact(sequence)) {
          throw new CorruptEventException(instance, sequence);
        }
        events.add(row.event());
      }
      long end = from + events.size();
      long bytes = rows.stream().mapToLong(Logged::bytes).sum();
      boolean cut = events.size() == atMost || bytes >= EventStore.READ_BYTES;
      if (!events.isEmpty() && !cut && end < rows.getLast().events()) {
        throw new CorruptEventException(instance, end);
      }
      return events;
    };
  }

  static Pending.Work<Optional<Claim.Key>> key(String scope, String key) {
    return sqlite ->
        sqlite.first(
            "SELECT digest, answer FROM claimed_key WHERE scope = ? AND key = ?",
            row -> new Claim.Key(scope, key, row.getBytes(1), row.getBytes(2)),
            scope,
            key);
  }

  static Pending.Work<Optional<Claim.Epoch>> epoch(Address address) {
    return sqlite ->
        sqlite.first(
            """
            SELECT epoch, reason FROM claimed_epoch WHERE address = ?
            ORDER BY epoch DESC LIMIT 1""",
            row -> new Claim.Epoch(address, row.getInt(1), row.getString(2)),
            address.key());
  }

  static Pending.Work<List<StoredFault>> faults(long from, int atMost) {
    // SQLite counts from 1, the feed from 0.
    return sqlite ->
        sqlite.all(
            "SELECT id - 1, body FROM fault WHERE id > ? ORDER BY id LIMIT ?",
            row -> new StoredFault(row.getLong(1), row.getBytes(2)),
            from,
            atMost);
  }

  static Pending.Work<Long> faultsEnd() {
    return sqlite ->
        sqlite
            .first("SELECT seq FROM sqlite_sequence WHERE name = 'fault'", row -> row.getLong(1))
            .orElse(0L);
  }

  static Instance instance(String agent, String id) {
    return new Instance(agent, InstanceId.parse(id));
  }

  private static Held held(ResultSet row) throws SQLException {
    return new Held(
        instance(row.getString(1), row.getString(2)),
        row.getString(3),
        row.getLong(4),
        row.getInt(5),
        Micros.at(row.getLong(6)));
  }
}
