package harness.store;

import static harness.store.Appends.append;
import static harness.store.Appends.claims;
import static harness.store.Appends.instance;
import static harness.store.Appends.key;
import static harness.store.Appends.numbered;
import static harness.store.Appends.text;
import static harness.store.Appends.texts;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Appends that arrive while the writer is kept waiting, so that they are one batch. */
class GroupCommitTest {
  /** The first one to arrive may be a batch of its own, and stragglers another. */
  private static final int FEW_COMMITS = 4;

  @TempDir Path state;
  private EventStore store;
  private Visitor visitor;

  @BeforeEach
  void open() throws Exception {
    store = SqliteEventStore.open(state, failure -> {});
    visitor = new Visitor(state);
  }

  @AfterEach
  void close() throws Exception {
    visitor.close();
    store.close();
  }

  @Test
  void appendsThatArriveTogetherShareACommit() throws Exception {
    int before = Visitor.commits(state);
    Crowd crowd = new Crowd();
    visitor.hold();
    for (int client = 0; client < 100; client++) {
      Append append = append("run-" + client + "/coder", 0, "a");
      crowd.start(() -> store.append(append));
    }
    crowd.untilParked();
    visitor.letGo();

    assertEquals(java.util.Collections.nCopies(100, new Appended.Stored()), crowd.answers());
    int commits = Visitor.commits(state) - before;
    assertTrue(commits >= 1 && commits <= FEW_COMMITS, commits + " commits");
  }

  @Test
  void manyClientsLoseNothingAndStoreNothingTwice() throws Exception {
    Crowd crowd = new Crowd();
    for (int client = 0; client < 64; client++) {
      String id = "run-" + client % 32 + "/coder";
      crowd.start(
          () -> {
            int stored = 0;
            while (stored < 50) {
              long expected = store.find(instance(id)).map(Held::events).orElse(0L);
              if (store.append(append(id, expected, "at " + expected)) instanceof Appended.Stored) {
                stored++;
              }
            }
            return stored;
          });
    }
    crowd.answers();

    for (int run = 0; run < 32; run++) {
      assertEquals(
          List.of(numbered("at ", 100)),
          texts(store.read(instance("run-" + run + "/coder"), 0, 1_000)));
    }
  }

  @Test
  void theConflictOfOneLeavesItsBatchMatesAsTheyAre() throws Exception {
    store.append(claims(append("run-0/coder", 0, "a"), key("s", "old", "old answer")));
    int before = Visitor.commits(state);
    Crowd crowd = new Crowd();
    visitor.hold();
    crowd.start(() -> store.append(append("run-1/coder", 0, "good")));
    crowd.untilParked();
    crowd.start(() -> store.append(claims(append("run-2/coder", 0, "bad"), key("s", "old", "x"))));
    crowd.untilParked();
    crowd.start(() -> store.append(append("run-0/coder", 5, "bad")));
    crowd.untilParked();
    crowd.start(() -> store.append(append("run-3/coder", 0, "good")));
    crowd.untilParked();
    crowd.start(() -> store.append(append("run-3/coder", 1, "good too")));
    crowd.untilParked();
    crowd.start(() -> store.append(append("run-3/coder", 1, "bad")));
    crowd.untilParked();
    crowd.start(
        () -> store.append(claims(append("run-4/coder", 0, "good"), key("s", "new", "mine"))));
    crowd.untilParked();
    crowd.start(() -> store.append(claims(append("run-5/coder", 0, "bad"), key("s", "new", "x"))));
    crowd.untilParked();
    visitor.letGo();

    List<Object> answers = crowd.answers();
    Appended stored = new Appended.Stored();
    assertEquals(stored, answers.get(0));
    assertEquals("old answer", firstAnswer(answers.get(1)));
    assertEquals(new Appended.OutOfSequence(1), answers.get(2));
    assertEquals(stored, answers.get(3));
    assertEquals(stored, answers.get(4));
    assertEquals(new Appended.OutOfSequence(2), answers.get(5));
    assertEquals(stored, answers.get(6));
    assertEquals("mine", firstAnswer(answers.get(7)));
    assertTrue(Visitor.commits(state) - before <= FEW_COMMITS);
    assertEquals(List.of("good", "good too"), texts(store.read(instance("run-3/coder"), 0, 9)));
    assertTrue(store.find(instance("run-2/coder")).isEmpty());
    assertTrue(store.find(instance("run-5/coder")).isEmpty());
  }

  @Test
  void anInterruptEndsNoWaitAndIsKept() throws Exception {
    Crowd crowd = new Crowd();
    visitor.hold();
    Thread waiting =
        crowd.start(
            () -> {
              Appended answer = store.append(append("run-1/coder", 0, "a"));
              return answer + " " + Thread.currentThread().isInterrupted();
            });
    crowd.untilParked();
    waiting.interrupt();
    crowd.untilParked();
    visitor.letGo();

    assertEquals(List.of("Stored[] true"), crowd.answers());
    assertTrue(store.find(instance("run-1/coder")).isPresent());
  }

  @Test
  void aCloseStoresWhatWaitsAndRefusesWhatComesLater() throws Exception {
    int clients = Writer.QUEUE_CHANGES + Writer.BATCH_CHANGES + 200;
    Crowd crowd = new Crowd();
    visitor.hold();
    for (int client = 0; client < clients; client++) {
      Append append = append("run-" + client + "/coder", 0, "a");
      crowd.start(() -> store.append(append));
    }
    crowd.untilParked();
    Crowd closing = new Crowd();
    closing.start(
        () -> {
          store.close();
          return "closed";
        });
    closing.untilParked();
    visitor.letGo();

    List<Object> answers = crowd.answers();
    assertEquals(List.of("closed"), closing.answers());
    List<Integer> stored =
        IntStream.range(0, clients)
            .filter(client -> answers.get(client) instanceof Appended.Stored)
            .boxed()
            .toList();
    assertTrue(stored.size() >= Writer.QUEUE_CHANGES, stored.size() + " stored");
    assertTrue(stored.size() < clients, "none was refused");
    store = SqliteEventStore.open(state, failure -> {});
    for (int client = 0; client < clients; client++) {
      boolean there = store.find(instance("run-" + client + "/coder")).isPresent();
      assertEquals(stored.contains(client), there, "client " + client);
      if (!there) {
        assertInstanceOf(StoreUnableException.class, answers.get(client));
      }
    }
  }

  private static String firstAnswer(Object answer) {
    return text(assertInstanceOf(Appended.KeyTaken.class, answer).first().answer());
  }
}
