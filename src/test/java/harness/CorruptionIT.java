package harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import harness.wire.Damage;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A byte of a stored event changed while the built program was away. */
@Timeout(180)
class CorruptionIT {
  private static final String SCRIPT =
      """
      models:
        m:
          - when: hold
            steps: [ { wait-for-file: HOLD, text: Held no more. } ]
          - when: what is new
            seen: This conversation is new
            steps: [ { text: It is new. } ]
          - steps: [ { text: Done. } ]
      """;
  private static final List<String> RUNS = List.of("damaged", "sound", "waiting", "cut", "behind");

  @TempDir Path directory;

  @Test
  void theConversationIsSetAsideByNameAndAllOthersAreServed() throws Exception {
    Site site = Site.make(directory, SCRIPT);
    try (Child child = Child.start(site.configuration());
        Caller caller = new Caller(child.listens())) {
      for (String run : RUNS) {
        admit(caller, run, "the words of " + run);
        List<JsonNode> _ = caller.until(run + "/coder", Told.has("submission-settled", 1));
      }
      for (String run : List.of("waiting", "cut", "behind")) {
        admit(caller, run, "hold on");
        admit(caller, run, "the last");
        List<JsonNode> _ = caller.until(run + "/coder", Told.has("turn-started", 2));
      }
      child.kill();
    }
    for (String run : List.of("damaged", "waiting")) {
      Damage.flip(site.state(), "the words of " + run);
    }
    doctorNamesBoth(site);
    try (Child child = Child.start(site.configuration());
        Caller caller = new Caller(child.listens())) {
      assertEquals(200, caller.get("/health/ready").status());
      assertTrue(child.err().await("waiting/coder is set aside").isPresent(), child::said);
      theOthersAreServed(caller);
      theDamagedOnesSaySo(caller);
      theNextTurnBeginsAnew(caller);
      child.signal("TERM");
      assertEquals(0, child.awaitExit(), child::said);
    }
    doctorNamesBoth(site);
  }

  private static void doctorNamesBoth(Site site) throws Exception {
    try (Child doctor = Child.run("doctor", "--state", site.state().toString())) {
      assertEquals(1, doctor.awaitExit(), doctor::said);
      String said = doctor.out().whole();
      assertTrue(said.contains("coder damaged/coder can't be read"), said);
      assertTrue(said.contains("coder waiting/coder can't be read"), said);
      assertTrue(said.endsWith("2 wrong"), said);
    }
  }

  private static void theOthersAreServed(Caller caller) throws Exception {
    assertEquals(
        List.of("Done."),
        Told.said(caller.until("sound/coder", Told.has("submission-settled", 1))));
    for (String run : List.of("cut", "behind")) {
      List<JsonNode> events = caller.until(run + "/coder", Told.has("submission-settled", 3));
      assertEquals(List.of("completed", "failed", "completed"), Told.outcomes(events));
    }
  }

  private static void theDamagedOnesSaySo(Caller caller) throws Exception {
    for (String run : List.of("damaged", "waiting")) {
      for (String view : List.of("", "?view=history", "?live=long-poll")) {
        Caller.Answer answer = caller.get(Caller.path(run + "/coder") + view);
        assertEquals(500, answer.status(), answer::body);
        String error = answer.json().path("error").asText();
        assertTrue(error.contains(run + "/coder does not match its checksum"), error);
      }
      try (InputStream stream = caller.stream(run + "/coder")) {
        String told = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(told.contains(run + "/coder does not match its checksum"), told);
      }
    }
  }

  private static void theNextTurnBeginsAnew(Caller caller) throws Exception {
    for (String run : List.of("damaged", "waiting")) {
      JsonNode told = admit(caller, run, "what is new");
      assertEquals(run + "/coder/1", told.path("instanceId").asText());
      assertEquals(1, told.path("epoch").asInt());
      List<JsonNode> events = caller.until(run + "/coder/1", Told.has("submission-settled", 1));
      assertEquals(List.of("It is new."), Told.said(events));
    }
  }

  private static JsonNode admit(Caller caller, String run, String prompt) throws Exception {
    Caller.Answer answer =
        caller.admit(Caller.turn(run, true, "m", prompt), (run + prompt).replace(' ', '-'));
    assertEquals(200, answer.status(), answer::body);
    return answer.json();
  }
}
