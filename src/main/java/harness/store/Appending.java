package harness.store;

import harness.agent.Address;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * One append inside a transaction: it looks at all that could refuse it before it writes anything,
 * so that a refused one leaves its batch-mates as they are.
 */
final class Appending implements Pending.Work<Appended> {
  /** About what an append writes besides the bodies. */
  private static final long OVERHEAD_BYTES = 512;

  private record Row(long id, String life, long events) {
    static Row of(ResultSet row) throws SQLException {
      return new Row(row.getLong(1), row.getString(2), row.getLong(3));
    }
  }

  private final Append append;
  private final String address;
  private final long at;

  Appending(Append append) {
    this.append = append;
    this.address = Address.generation(append.instance()).address().key();
    this.at = Micros.of(append.at());
  }

  long bytes() {
    return OVERHEAD_BYTES
        + append.events().stream().mapToLong(body -> body.length).sum()
        + append.faults().stream().mapToLong(body -> body.length).sum();
  }

  @Override
  public Appended on(Sqlite sqlite) throws SQLException {
    for (Claim claim : append.claims()) {
      Optional<Appended> taken = taken(sqlite, claim);
      if (taken.isPresent()) {
        return taken.get();
      }
    }
    Optional<Row> held =
        sqlite.first(
            """
            SELECT id, life, events FROM conversation
            WHERE agent = ? AND instance = ? AND stage = 0""",
            Row::of,
            append.instance().agent(),
            append.instance().id().value());
    long actual = held.map(Row::events).orElse(0L);
    boolean sameLife = held.isEmpty() || held.get().life().equals(append.life());
    if (actual != append.expected() || !sameLife) {
      return new Appended.OutOfSequence(actual);
    }
    long conversation = held.isPresent() ? grow(sqlite, held.get().id()) : create(sqlite);
    insertEvents(sqlite, conversation);
    insertClaims(sqlite, conversation);
    for (byte[] fault : append.faults()) {
      sqlite.update(
          "INSERT INTO fault (conversation, at, body) VALUES (?, ?, ?)", conversation, at, fault);
    }
    return new Appended.Stored();
  }

  private static Optional<Appended> taken(Sqlite sqlite, Claim claim) throws SQLException {
    return switch (claim) {
      case Claim.Key key ->
          Reads.key(key.scope(), key.key()).on(sqlite).map(Appended.KeyTaken::new);
      case Claim.Epoch epoch ->
          sqlite.first(
              """
              SELECT epoch, reason FROM claimed_epoch WHERE address = ? AND epoch >= ?
              ORDER BY epoch DESC LIMIT 1""",
              row ->
                  new Appended.EpochTaken(
                      new Claim.Epoch(epoch.address(), row.getInt(1), row.getString(2))),
              epoch.address().key(),
              epoch.epoch());
    };
  }

  private long create(Sqlite sqlite) throws SQLException {
    sqlite.update(
        """
        INSERT INTO conversation (agent, instance, address, life, events, unsettled, touched)
        VALUES (?, ?, ?, ?, ?, ?, ?)""",
        append.instance().agent(),
        append.instance().id().value(),
        address,
        append.life(),
        append.events().size(),
        append.unsettled(),
        at);
    return sqlite.number("SELECT last_insert_rowid()");
  }

  private long grow(Sqlite sqlite, long conversation) throws SQLException {
    sqlite.update(
        "UPDATE conversation SET events = ?, unsettled = ?, touched = ? WHERE id = ?",
        append.expected() + append.events().size(),
        append.unsettled(),
        at,
        conversation);
    return conversation;
  }

  private void insertEvents(Sqlite sqlite, long conversation) throws SQLException {
    for (int index = 0; index < append.events().size(); index++) {
      long sequence = append.expected() + index;
      byte[] body = append.events().get(index);
      sqlite.update(
          """
          INSERT INTO event (conversation, sequence, place, at, checksum, body)
          VALUES (?, ?, ?, ?, ?, ?)""",
          conversation,
          sequence,
          index,
          at,
          Checksum.of(conversation, sequence, index, at, body),
          body);
    }
  }

  private void insertClaims(Sqlite sqlite, long conversation) throws SQLException {
    for (Claim claim : append.claims()) {
      switch (claim) {
        case Claim.Key key ->
            sqlite.update(
                """
                INSERT INTO claimed_key (scope, key, conversation, at, digest, answer)
                VALUES (?, ?, ?, ?, ?, ?)""",
                key.scope(),
                key.key(),
                conversation,
                at,
                key.digest(),
                key.answer());
        case Claim.Epoch epoch ->
            sqlite.update(
                """
                INSERT INTO claimed_epoch (address, epoch, conversation, at, reason)
                VALUES (?, ?, ?, ?, ?)""",
                epoch.address().key(),
                epoch.epoch(),
                conversation,
                at,
                epoch.reason());
      }
    }
  }
}
