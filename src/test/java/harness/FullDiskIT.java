package harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import harness.conversation.Doctor;
import harness.store.StateReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The disk below the state of the built program fills up, and has room again. */
@Timeout(180)
class FullDiskIT {
  private static final String SCRIPT =
      """
      models:
        m:
          - when: hold
            steps:
              - text: I look.
                calls: [ { name: list, input: { path: . } } ]
              - { wait-for-file: HOLD, text: Held no more. }
          - steps: [ { text: Done. } ]
      """;
  private static final String ID = "run-1/coder";
  private static final int FILLS = 2;

  @TempDir Path directory;
  private SmallDisk disk;

  @BeforeEach
  void mount() throws Exception {
    disk = SmallDisk.mount(directory.resolve("state"));
  }

  @AfterEach
  void unmount() throws Exception {
    if (disk != null) {
      disk.close();
    }
  }

  @Test
  void aTurnThatTheFullDiskStoppedIsLostAndAllBehindItRuns() throws Exception {
    Site site = Site.make(directory, SCRIPT);
    try (Child child = Child.start(site.configuration());
        Caller caller = new Caller(child.listens())) {
      admit(caller, "hold on", "key-0", 200);
      admit(caller, "the second", "key-1", 200);
      List<JsonNode> before = caller.until(ID, Told.has("tool-returned", 1));

      disk.fill();
      admitUntilFull(caller);
      site.letGo();
      assertTrue(child.err().await("waits for its store").isPresent(), () -> "" + child.err());
      assertEquals(507, caller.admit(body("more"), "key-full").status());
      assertEquals(200, caller.get("/health/ready").status());
      assertEquals(List.of(), Told.of(caller.until(ID, _ -> true), "submission-settled"));

      disk.makeRoom();
      List<JsonNode> events = caller.until(ID, Told.has("submission-settled", 2));
      assertEquals(before, events.subList(0, before.size()));
      assertEquals(List.of("failed", "completed"), Told.outcomes(events).subList(0, 2));
      JsonNode lost = Told.of(events, "submission-settled").getFirst();
      assertEquals("turn-lost", lost.at("/fault/class").asText());
      assertEquals(List.of("I look.", "Done."), Told.said(events).subList(0, 2));
      admit(caller, "more", "key-full", 200);
      assertEquals(ID, caller.admit(body("more"), "key-full").json().path("instanceId").asText());
    }
  }

  /** A log that was written before has room of its own, which is used up first. */
  private static void admitUntilFull(Caller caller) throws Exception {
    String other = Caller.turn("run-2", false, "m", "x".repeat(100_000));
    for (int count = 0; caller.admit(other, "other-" + count).status() == 200; count++) {
      assertTrue(count < 1_000, "it never became full");
    }
  }

  private static void admit(Caller caller, String prompt, String key, int status) throws Exception {
    Caller.Answer answer = caller.admit(body(prompt), key);
    assertEquals(status, answer.status(), answer::body);
  }

  private static String body(String prompt) {
    return Caller.turn("run-1", true, "m", prompt);
  }

  @Test
  void underLoadNothingIsLostHoweverOftenItFillsAlsoWhenItIsKilledThen() throws Exception {
    Random random = new Random(Seed.get(FullDiskIT.class));
    Site site = Site.make(directory, Load.SCRIPT, "queue: 1000", "live-turns: 3");
    Ledger ledger = new Ledger();
    for (int fill = 0; fill < FILLS; fill++) {
      try (Child child = Child.start(site.configuration());
          Caller caller = new Caller(child.listens())) {
        disk.makeRoom();
        ledger.sendUnansweredAgain(caller);
        ledger.assertRemembered(caller, random);
        Load load = Load.start(child, caller, ledger, "f" + fill, "f" + fill, random);
        load.awaitAnswers(20);
        disk.fill();
        load.awaitRefusals(20);
        assertEquals(200, caller.get("/health/ready").status());
        disk.makeRoom();
        load.awaitAnswers(50);
        disk.fill();
        load.awaitRefusals(1);
        child.kill();
        load.finish();
      }
    }
    try (Child child = Child.start(site.configuration());
        Caller caller = new Caller(child.listens())) {
      disk.makeRoom();
      ledger.sendUnansweredAgain(caller);
      ledger.assertAllRemembered(caller);
      String verdict = Verdict.on(caller, ledger, 3 * FILLS);
      System.out.println(2 * FILLS + " times full, " + FILLS + " kills: " + verdict);
    }
    try (StateReader state = StateReader.open(site.state())) {
      assertEquals(List.of(), Doctor.examine(state).wrong());
    }
  }
}
