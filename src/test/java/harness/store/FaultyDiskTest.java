package harness.store;

import static harness.store.Appends.append;
import static harness.store.Appends.claims;
import static harness.store.Appends.instance;
import static harness.store.Appends.key;
import static harness.store.Appends.life;
import static harness.store.Appends.texts;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sqlite.SQLiteErrorCode;

class FaultyDiskTest {
  private static final String CODER = "run-1/coder";
  private static final int ROOM_PAGES = 60;
  private static final String LARGE = "x".repeat(16_000);

  @TempDir Path state;
  private final FaultyDisk disk = new FaultyDisk();
  private final CompletableFuture<Throwable> lost = new CompletableFuture<>();
  private final AtomicInteger losses = new AtomicInteger();
  private EventStore store;

  @BeforeEach
  void open() {
    store =
        SqliteEventStore.open(
            state,
            failure -> {
              losses.incrementAndGet();
              lost.complete(failure);
            },
            disk);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private int fill() {
    int stored = 0;
    while (true) {
      try {
        store.append(claims(append(CODER, stored, LARGE), key("scope", "key " + stored, "answer")));
        stored++;
      } catch (StoreUnableException full) {
        assertTrue(full.toString().contains("make room"), full.toString());
        assertTrue(full.toString().contains("harness.db"), full.toString());
        return stored;
      }
    }
  }

  @Test
  void onAFullDiskNothingIsTornAndItWorksAgainWhenThereIsRoom() throws Exception {
    disk.limit(ROOM_PAGES);
    int stored = fill();
    assertTrue(stored > 2, stored + " stored");

    assertEquals(stored, store.read(instance(CODER), 0, 1_000).size());
    assertEquals(stored, store.find(instance(CODER)).orElseThrow().events());
    assertEquals(Optional.empty(), store.key("scope", "key " + stored));
    assertThrows(StoreUnableException.class, () -> store.append(append(CODER, stored, LARGE)));

    disk.limit(Integer.MAX_VALUE);
    assertEquals(
        new Appended.Stored(),
        store.append(
            claims(append(CODER, stored, "more"), key("scope", "key " + stored, "answer"))));
    assertEquals(List.of("more"), texts(store.read(instance(CODER), stored, 10)));
    assertEquals(0, losses.get());
  }

  @Test
  void onAFullDiskFreeingMakesRoom() throws Exception {
    store.append(append("run-2/coder", 0, LARGE, LARGE, LARGE));
    disk.limit(ROOM_PAGES);
    int stored = fill();

    assertEquals(
        List.of(instance("run-2/coder")),
        store.free(Set.of(instance(CODER)), EventStoreContract.LATER, EventStoreContract.LATER));

    assertEquals(new Appended.Stored(), store.append(append(CODER, stored, LARGE)));
  }

  @Test
  void anAppendThatDoesNotFitTakesNoneOfItsBatchMatesAlong() throws Exception {
    disk.limit(ROOM_PAGES);
    String tooLarge = "y".repeat(1_000_000);
    Crowd crowd = new Crowd();
    try (Visitor visitor = new Visitor(state)) {
      visitor.hold();
      for (int client = 0; client < 20; client++) {
        Append append = append("run-" + client + "/coder", 0, client == 7 ? tooLarge : "small");
        crowd.start(() -> store.append(append));
      }
      crowd.untilParked();
      visitor.letGo();
    }

    List<Object> answers = crowd.answers();
    for (int client = 0; client < 20; client++) {
      boolean there = store.find(instance("run-" + client + "/coder")).isPresent();
      assertEquals(client != 7, there);
      if (client == 7) {
        assertInstanceOf(StoreUnableException.class, answers.get(client));
      } else {
        assertEquals(new Appended.Stored(), answers.get(client));
      }
    }
  }

  @Test
  void aBrokenDiskIsNotAskedAgainForEachAppendOfABatch() throws Exception {
    Crowd crowd = new Crowd();
    try (Visitor visitor = new Visitor(state)) {
      visitor.hold();
      for (int client = 0; client < 100; client++) {
        Append append = append("run-" + client + "/coder", 0, "a");
        crowd.start(() -> store.append(append));
      }
      crowd.untilParked();
      disk.fail("COMMIT", SQLiteErrorCode.SQLITE_IOERR_WRITE);
      visitor.letGo();
    }

    for (Object answer : crowd.answers()) {
      assertInstanceOf(StoreUnableException.class, answer);
    }
    assertTrue(disk.refusals() < 10, disk.refusals() + " attempts");
  }

  @ParameterizedTest
  @EnumSource(names = {"SQLITE_IOERR_WRITE", "SQLITE_FULL", "SQLITE_READONLY", "SQLITE_BUSY"})
  void aCommitThatFailsStoresNothingAndTheNextOneDoes(SQLiteErrorCode code) {
    disk.fail("COMMIT", code);
    assertThrows(StoreUnableException.class, () -> store.append(append(CODER, 0, "a")));
    assertEquals(Optional.empty(), store.find(instance(CODER)));

    disk.mend();

    assertEquals(new Appended.Stored(), store.append(append(CODER, 0, "b")));
    assertEquals(List.of("b"), texts(store.read(instance(CODER), 0, 10)));
    assertEquals(0, losses.get());
  }

  @Test
  void aRollbackThatFailsCostsTheConnectionAndNotTheStore() {
    disk.fail("COMMIT", SQLiteErrorCode.SQLITE_IOERR_WRITE);
    disk.fail("ROLLBACK", SQLiteErrorCode.SQLITE_IOERR_WRITE);
    assertThrows(StoreUnableException.class, () -> store.append(append(CODER, 0, "a")));
    disk.mend();

    assertEquals(new Appended.Stored(), store.append(append(CODER, 0, "b")));
    assertEquals(2, disk.connections());
  }

  @Test
  void aFileThatWentAwayIsNotReplacedByAnEmptyOne() throws Exception {
    store.append(append(CODER, 0, "a"));
    Path aside = Files.move(Visitor.file(state), state.resolve("aside"));
    disk.fail("COMMIT", SQLiteErrorCode.SQLITE_IOERR_WRITE);
    disk.fail("ROLLBACK", SQLiteErrorCode.SQLITE_IOERR_WRITE);
    assertThrows(StoreUnableException.class, () -> store.append(append(CODER, 1, "b")));
    disk.mend();

    assertThrows(StoreUnableException.class, () -> store.append(append(CODER, 1, "b")));

    assertFalse(Files.exists(Visitor.file(state)));
    Files.move(aside, Visitor.file(state));
    assertEquals(new Appended.Stored(), store.append(append(CODER, 1, "b")));
  }

  @ParameterizedTest
  @EnumSource(names = {"SQLITE_IOERR_FSYNC", "SQLITE_IOERR_DIR_FSYNC"})
  void afterASyncThatFailedTheOwnerIsToldAndEverythingIsRefused(SQLiteErrorCode code)
      throws Exception {
    disk.fail("COMMIT", code);
    // No one may say that nothing was stored: what the sync did not bring to the disk may be there.
    StoreUnableException told =
        assertThrows(StoreUnableException.class, () -> store.append(append(CODER, 0, "a")));
    assertTrue(told.mayBeStored());
    disk.mend();

    checkLost();
  }

  @Test
  void aSyncThatFailsWhileTheLogIsMovedIsNoSecret() throws Exception {
    disk.fail("PRAGMA wal_checkpoint(PASSIVE)", SQLiteErrorCode.SQLITE_IOERR_FSYNC);
    store.append(append(CODER, 0, "x".repeat(Writer.LOG_PAGES * 4096)));

    checkLost();
  }

  @Test
  void aLogThatCannotBeMovedIsKeptAndTheStoreGoesOn() {
    disk.fail("PRAGMA wal_checkpoint(PASSIVE)", SQLiteErrorCode.SQLITE_FULL);
    store.append(append(CODER, 0, "x".repeat(Writer.LOG_PAGES * 4096)));

    assertEquals(new Appended.Stored(), store.append(append(CODER, 1, "b")));
    assertEquals(0, losses.get());
  }

  private void checkLost() throws Exception {
    assertInstanceOf(java.sql.SQLException.class, lost.get(60, TimeUnit.SECONDS));
    assertThrows(StoreUnableException.class, () -> store.append(append("run-2/coder", 0, "b")));
    assertThrows(StoreUnableException.class, () -> store.find(instance(CODER)));
    store.close();
    assertEquals(1, losses.get());
  }

  @Test
  void whatWaitsWhenASyncFailsIsRefusedToo() throws Exception {
    Crowd crowd = new Crowd();
    try (Visitor visitor = new Visitor(state)) {
      visitor.hold();
      for (int client = 0; client < 3 * Writer.BATCH_CHANGES; client++) {
        Append append = life(append("run-" + client + "/coder", 0, "a"), "life");
        crowd.start(() -> store.append(append));
      }
      crowd.untilParked();
      disk.fail("COMMIT", SQLiteErrorCode.SQLITE_IOERR_FSYNC);
      visitor.letGo();
    }

    for (Object answer : crowd.answers()) {
      assertInstanceOf(StoreUnableException.class, answer);
    }
    checkLost();
  }
}
