package harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
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
              - text: Second.
                calls: [ { name: shell, input: { command: "touch began; while ! test -e end; do sleep 0.1; done" } } ]
              - text: Third.
                calls: [ { name: write, input: { path: third.txt, content: three } } ]
              - text: Done.
      """;
  private static final String ID = "run-1/coder";

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

  /** Admits a Turn whose second call is a command that waits, and waits until it runs. */
  private void inTheMiddleOfACall(Caller caller) throws Exception {
    assertEquals(200, caller.admit(turn("go"), "key-1").status());
    List<JsonNode> _ = caller.until(ID, Told.has("tool-called", 2));
    awaitFile("began");
  }

  private void awaitFile(String name) throws IOException, InterruptedException {
    try (WatchService watch = site.work().getFileSystem().newWatchService()) {
      WatchKey _ = site.work().register(watch, StandardWatchEventKinds.ENTRY_CREATE);
      while (Files.notExists(site.work().resolve(name))) {
        WatchKey key = watch.poll(Caller.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertTrue(key != null && key.reset(), "no file " + name + " came");
      }
    }
  }

  /** Lets go what a killed runner could not end. */
  @AfterEach
  void end() throws IOException {
    Files.writeString(site.work().resolve("end"), "");
  }

  @Test
  void aRunnerThatIsKilledCostsTheCallThatItRanAndTheNextFindsTheNewOne() throws Exception {
    try (Child first = runner();
        Child child = harness();
        Caller caller = new Caller(child.listens())) {
      inTheMiddleOfACall(caller);
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
        inTheMiddleOfACall(caller);
        child.kill();
        assertTrue(runner.err().await("what ran for it is ended").isPresent());
      }
      try (Child child = harness();
          Caller caller = new Caller(child.listens())) {
        List<JsonNode> events = caller.until(ID, Told.has("submission-settled", 1));
        assertEquals(List.of("failed"), Told.outcomes(events));
        end();
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
