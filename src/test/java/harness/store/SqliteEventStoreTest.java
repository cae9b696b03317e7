package harness.store;

import static harness.store.Appends.append;
import static harness.store.Appends.claims;
import static harness.store.Appends.faults;
import static harness.store.Appends.feed;
import static harness.store.Appends.instance;
import static harness.store.Appends.key;
import static harness.store.Appends.text;
import static harness.store.Appends.texts;
import static harness.store.Appends.unsettled;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteEventStoreTest extends EventStoreContract {
  @TempDir Path state;

  @Override
  EventStore open() {
    return SqliteEventStore.open(state, failure -> {});
  }

  @Test
  void everythingIsThereAfterAReopen() {
    stored(
        unsettled(
            faults(
                claims(
                    append(CODER, 0, "a", "b"),
                    key("scope", "k", "answer"),
                    new Claim.Epoch(ADDRESS, 1, "burned")),
                "fault"),
            1));
    Optional<Held> before = store.find(instance(CODER));

    store.close();
    store = open();

    assertEquals(List.of("a", "b"), texts(store.read(instance(CODER), 0, 10)));
    assertEquals(before, store.find(instance(CODER)));
    assertEquals(List.of(before.orElseThrow()), store.unsettled());
    assertEquals("answer", text(store.key("scope", "k").orElseThrow().answer()));
    assertEquals(Optional.of(new Claim.Epoch(ADDRESS, 1, "burned")), store.epoch(ADDRESS));
    assertEquals(List.of("0 fault"), feed(store.faults(0, 10)));
    stored(append(CODER, 2, "c"));
  }

  @Test
  void theDirectoryAndItsFilesAreTheirOwnersAlone() throws IOException {
    Path directory = state.resolve("new/state");
    Map<String, String> modes = new TreeMap<>();
    try (EventStore other = SqliteEventStore.open(directory, failure -> {})) {
      other.append(append(CODER, 0, "a"));
      assertTrue(other.find(instance(CODER)).isPresent());
      try (Stream<Path> files = Files.list(directory)) {
        for (Path file : files.toList()) {
          modes.put(file.getFileName().toString(), mode(file));
        }
      }
    }

    assertEquals("rwx------", mode(directory));
    assertEquals(
        Map.of(
            "harness.db", "rw-------",
            "harness.db-shm", "rw-------",
            "harness.db-wal", "rw-------",
            "harness.lock", "rw-------"),
        modes);
  }

  @Test
  void anyNameOfADirectoryWillDo() {
    Path directory = state.resolve("what? 100% #1 & ünï;x=y");
    try (EventStore other = SqliteEventStore.open(directory, failure -> {})) {
      other.append(append(CODER, 0, "a"));
    }
    assertTrue(Files.isRegularFile(directory.resolve("harness.db")));
    try (EventStore other = SqliteEventStore.open(directory, failure -> {})) {
      assertEquals(List.of("a"), texts(other.read(instance(CODER), 0, 10)));
    }
  }

  @Test
  void aFileOfANewerHarnessIsRefusedByName() throws Exception {
    store.close();
    try (Visitor visitor = new Visitor(state)) {
      visitor.run("PRAGMA user_version = 3");
    }

    String message = assertThrows(StoreUnableException.class, this::open).toString();

    assertTrue(message.contains(Visitor.file(state.toRealPath()).toString()), message);
    assertTrue(message.contains("newer harness"), message);
    try (Visitor visitor = new Visitor(state)) {
      visitor.run("PRAGMA user_version = " + Schema.VERSION);
    }
    store = open();
  }

  @Test
  void aFileOfTheFirstVersionKeepsItsEpochs() throws Exception {
    stored(claims(append(CODER, 0, "a"), new Claim.Epoch(ADDRESS, 1, "it was burned")));
    store.close();
    try (Visitor visitor = new Visitor(state)) {
      visitor.run("UPDATE conversation SET address = 'run-1/task/coder'");
      visitor.run("UPDATE claimed_epoch SET address = 'run-1/task/coder'");
      visitor.run("PRAGMA user_version = 1");
    }

    store = open();

    assertEquals(Optional.of(new Claim.Epoch(ADDRESS, 1, "it was burned")), store.epoch(ADDRESS));
  }

  @Test
  void aFileThatIsNoDatabaseIsRefusedByNameAndLeftAsItIs() throws IOException {
    Path other = Files.createDirectory(state.resolve("other"));
    String text = "this is not a database, whatever its name may say. ".repeat(100);
    Files.writeString(Visitor.file(other), text);

    String message =
        assertThrows(StoreUnableException.class, () -> SqliteEventStore.open(other, failure -> {}))
            .toString();

    assertTrue(message.contains(Visitor.file(other.toRealPath()).toString()), message);
    assertTrue(message.contains("damaged"), message);
    assertEquals(text, Files.readString(Visitor.file(other)));
  }

  @Test
  void aLogWithoutItsFileIsRefusedSinceANewFileWouldDropIt() throws IOException {
    Path other = Files.createDirectory(state.resolve("other"));
    Files.writeString(other.resolve("harness.db-wal"), "the last appends");

    String message =
        assertThrows(StoreUnableException.class, () -> SqliteEventStore.open(other, failure -> {}))
            .toString();

    assertTrue(message.contains("harness.db-wal is there without"), message);
    assertFalse(Files.exists(Visitor.file(other)));
  }

  @Test
  void aStoreMayBeClosedTwiceAndOpenedAgainInBetween() {
    EventStore first = store;
    first.close();
    store = open();
    first.close();

    assertThrows(StoreUnableException.class, this::open);
    stored(append(CODER, 0, "a"));
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }
}
