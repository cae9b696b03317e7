package harness.store;

import static harness.store.Appends.append;
import static harness.store.Appends.instance;
import static harness.store.Appends.numbered;
import static harness.store.EventStoreContract.LATER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FreeingTest {
  @TempDir Path state;
  private EventStore store;

  @BeforeEach
  void open() {
    store = SqliteEventStore.open(state, failure -> {});
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void theFileShrinksByWhatWasFreed() throws Exception {
    store.append(append("run-1/coder", 0, "kept"));
    for (int run = 2; run < 12; run++) {
      for (int count = 0; count < 4; count++) {
        store.append(append("run-" + run + "/coder", count, "x".repeat(1_000_000)));
      }
    }
    store.append(append("run-1/coder", 1, "kept at the end"));

    store.free(Set.of(instance("run-1/coder")), LATER, LATER);

    // A reader that still looks at the log puts the move off to a later commit.
    long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    for (int more = 2; Files.size(Visitor.file(state)) >= 1_000_000; more++) {
      assertTrue(System.nanoTime() < deadline, Files.size(Visitor.file(state)) + " are left");
      store.append(append("run-1/coder", more, "later"));
    }
    assertEquals(
        List.of("kept", "kept at the end"),
        store.read(instance("run-1/coder"), 0, 2).stream()
            .map(event -> new String(event.body(), StandardCharsets.UTF_8))
            .toList());
  }

  @Test
  void moreThanAStepTakesIsFreedInOneCall() throws Exception {
    int conversations = Freeing.STEP_CONVERSATIONS * 2 + 3;
    EventStoreContract.together(
        conversations, run -> store.append(append("run-" + run + "/coder", 0, "a")));
    store.append(append("long/coder", 0, numbered("event ", Freeing.STEP_EVENTS * 2 + 3)));

    List<?> freed = store.free(Set.of(), LATER, LATER);

    assertEquals(conversations + 1, freed.size());
    assertEquals("0", count("event"));
    store.free(Set.of(), LATER, LATER.plus(EventStore.EPOCHS_OUTLIVE));
    assertEquals("0", count("conversation"));
  }

  @Test
  void aFreeingThatWasCutShortIsTakenUpByTheNext() throws Exception {
    store.append(append("run-1/coder", 0, "a", "b", "c"));
    try (Visitor visitor = new Visitor(state)) {
      visitor.run("UPDATE conversation SET stage = 1, freed = touched");
      visitor.run("DELETE FROM event WHERE sequence < 2");
    }
    assertEquals(List.of(), store.read(instance("run-1/coder"), 0, 10));

    assertEquals(List.of(), store.free(Set.of(), LATER, LATER));

    assertEquals("0", count("event"));
  }

  @Test
  void whatIsTouchedWhileItIsLookedUpIsNotFreed() throws Exception {
    for (int run = 0; run < 4; run++) {
      store.append(append("run-" + run + "/coder", 0, "a"));
    }
    Path file = Visitor.file(state);
    try (Sqlite sqlite = Sqlite.open(file, 1_024, connection -> connection)) {
      List<Freeing.Candidate> candidates = Freeing.candidates(LATER).on(sqlite);
      assertEquals(4, candidates.size());
      store.append(Appends.at(append("run-1/coder", 1, "b"), LATER));
      store.append(Appends.unsettled(append("run-2/coder", 1, "b"), 1));
      store.free(Set.of(instance("run-0/coder"), instance("run-2/coder")), LATER, LATER);

      assertEquals(
          List.of(instance("run-0/coder")), Freeing.free(candidates, LATER, LATER).on(sqlite));
    }
  }

  @Test
  void appendsGoOnWhileConversationsAreFreed() throws Exception {
    for (int run = 0; run < 20; run++) {
      store.append(append("old-" + run + "/coder", 0, numbered("x".repeat(2_000), 100)));
    }
    Crowd crowd = new Crowd();
    for (int client = 0; client < 8; client++) {
      String id = "new-" + client + "/coder";
      crowd.start(
          () -> {
            for (int count = 0; count < 100; count++) {
              store.append(Appends.at(append(id, count, "event " + count), LATER));
            }
            return "done";
          });
    }
    assertEquals(20, store.free(Set.of(), LATER, LATER).size());
    assertEquals(java.util.Collections.nCopies(8, "done"), crowd.answers());

    for (int client = 0; client < 8; client++) {
      assertEquals(100, store.read(instance("new-" + client + "/coder"), 0, 1_000).size());
    }
    assertEquals("800", count("event"));
  }

  private String count(String table) throws Exception {
    try (Visitor visitor = new Visitor(state)) {
      return visitor.ask("SELECT count(*) FROM " + table);
    }
  }
}
