package harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The built program as two processes, one of which is killed in the middle of a call. */
@Timeout(180)
class RunnerIT {
  private static final String SCRIPT =
      """
      models:
        m:
          - when: recall
            seen: took effect is not known
            steps: [ { text: I was told. } ]
          - when: recall
            steps: [ { text: I was not told. } ]
          - when: go
            steps:
              - text: First.
                calls: [ { name: write, input: { path: first.txt, content: one } } ]
              - wait-for-file: HOLD
                text: Second.
                calls: [ { name: read, input: { path: first.txt } } ]
              - text: Third.
                calls: [ { name: write, input: { path: third.txt, content: three } } ]
              - text: Done.
      """;
  private static final String ID = "run-1/coder";

  /** How often another thing is asked so that what came before it has surely been done. */
  private static final int LATER_REQUESTS = 50;

  @TempDir Path directory;
  private Site site;
  private Path socket;

  @BeforeEach
  void make() throws IOException {
    site = Site.make(directory, SCRIPT);
    socket = Files.createDirectory(site.directory().resolve("run")).resolve("runner.sock");
  }

  private Child runner() throws Exception {
    Child runner = Child.runner(socket, site.work());
    runner.runs();
    return runner;
  }

  private Child harness() throws IOException {
    return Child.start(site.configuration(socket));
  }

  private static String turn(String prompt) {
    return Caller.turn("run-1", true, "m", prompt);
  }

  /** A Turn whose second call is sent to a runner that is frozen. */
  private void callTheFrozenRunner(Child runner, Caller caller) throws Exception {
    assertEquals(200, caller.admit(turn("go"), "key-1").status());
    List<JsonNode> _ = caller.until(ID, Told.has("tool-returned", 1));
    runner.signal("STOP");
    site.letGo();
    List<JsonNode> _ = caller.until(ID, Told.has("tool-called", 2));
    for (int i = 0; i < LATER_REQUESTS; i++) {
      assertEquals(200, caller.get("/health/ready").status());
    }
  }

  @Test
  void aRunnerThatIsKilledCostsTheCallThatItRanAndTheNextFindsTheNewOne() throws Exception {
    try (Child first = runner();
        Child child = harness();
        Caller caller = new Caller(child.listens())) {
      callTheFrozenRunner(first, caller);
      first.kill();
      assertTrue(Files.exists(socket), "a killed one leaves its socket behind");
      try (Child _ = runner()) {
        List<JsonNode> events = caller.until(ID, Told.has("submission-settled", 1));
        assertEquals(List.of("completed"), Told.outcomes(events));
        assertEquals(
            List.of("ok", "error", "ok"),
            Told.of(events, "tool-returned").stream()
                .map(event -> event.path("outcome").asText())
                .toList());
        assertEquals("three", Files.readString(site.work().resolve("third.txt")));
        assertEquals(200, caller.admit(turn("recall"), "key-2").status());
        events = caller.until(ID, Told.has("submission-settled", 2));
        assertEquals("I was told.", Told.said(events).getLast());
      }
    }
  }

  @Test
  void aHarnessThatIsKilledEndsItsCallsAndTheNextIsServedByTheSameRunner() throws Exception {
    try (Child runner = runner()) {
      try (Child child = harness();
          Caller caller = new Caller(child.listens())) {
        callTheFrozenRunner(runner, caller);
        child.kill();
        runner.signal("CONT");
        assertTrue(runner.err().await("what ran for it is ended").isPresent());
      }
      try (Child child = harness();
          Caller caller = new Caller(child.listens())) {
        List<JsonNode> events = caller.until(ID, Told.has("submission-settled", 1));
        assertEquals(List.of("failed"), Told.outcomes(events));
        assertEquals(200, caller.admit(turn("go on"), "key-2").status());
        events = caller.until(ID, Told.has("submission-settled", 2));
        assertEquals(List.of("failed", "completed"), Told.outcomes(events));
        assertEquals("three", Files.readString(site.work().resolve("third.txt")));
      }
    }
  }

  @Test
  void withoutARunnerAdmissionsAreRefusedForNowAndTheHarnessIsReady() throws Exception {
    try (Child child = harness();
        Caller caller = new Caller(child.listens())) {
      assertEquals(200, caller.get("/health/ready").status());
      Caller.Answer refused = caller.admit(turn("recall"), "key-1");
      assertEquals(503, refused.status(), refused::body);
      assertEquals("2", refused.header("retry-after"));
      assertTrue(refused.body().contains("harness runner --socket " + socket), refused::body);
      try (Child _ = runner()) {
        assertEquals(200, caller.admit(turn("recall"), "key-1").status());
      }
    }
  }

  @Test
  void aRunnerOfAnotherWorkspaceIsRefusedByName() throws Exception {
    Path other = Files.createDirectory(site.directory().resolve("other"));
    try (Child runner = Child.runner(socket, other);
        Child child = harness();
        Caller caller = new Caller(child.listens())) {
      runner.runs();
      Caller.Answer refused = caller.admit(turn("recall"), "key-1");
      assertEquals(503, refused.status(), refused::body);
      assertTrue(refused.body().contains("serves the workspace " + other), refused::body);
    }
  }

  @Test
  void aSignalEndsARunnerAndTakesItsSocketAndASecondRunnerIsRefused() throws Exception {
    try (Child runner = runner()) {
      try (Child second = Child.runner(socket, site.work())) {
        assertEquals(1, second.awaitExit());
        assertTrue(
            second.err().whole().contains("another runner listens at " + socket),
            () -> second.err().toString());
      }
      runner.signal("TERM");
      assertEquals(0, runner.awaitExit());
      assertFalse(Files.exists(socket));
    }
  }
}
