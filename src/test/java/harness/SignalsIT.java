package harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the built program does with the signals that a machine sends to it. */
@Timeout(180)
class SignalsIT {
  private static final String SCRIPT =
      """
      models:
        m:
          - when: hold
            steps: [ { wait-for-file: HOLD, text: Held no more. } ]
          - steps: [ { text: Done. } ]
      """;
  private static final String ID = "run-1/coder";
  private static final int READERS = 100;

  @TempDir Path directory;

  @Test
  void theFirstTermLetsAllThatWasAdmittedFinish() throws Exception {
    Site site = Site.make(directory, SCRIPT);
    try (Child child = Child.start(site.configuration());
        Caller caller = new Caller(child.listens())) {
      holdOneAndQueueTwo(caller);
      child.signal("TERM");
      assertTrue(child.err().await("draining").isPresent(), () -> "" + child.err());

      Caller.Answer refused = caller.admit(body("too late"), "key-late");
      assertEquals(503, refused.status(), refused::body);
      assertTrue(Integer.parseInt(refused.header("retry-after")) > 0);
      assertEquals("close", refused.header("connection"));
      assertEquals(200, caller.get("/health/ready").status());
      assertEquals(200, caller.updates(ID, "").status());

      site.letGo();
      assertEquals(0, child.awaitExit(), () -> "" + child.err());
    }
    try (Child child = Child.start(site.configuration());
        Caller caller = new Caller(child.listens())) {
      List<JsonNode> events = caller.until(ID, Told.has("submission-settled", 3));
      assertEquals(List.of("completed", "completed", "completed"), Told.outcomes(events));
      assertEquals(List.of("Held no more.", "Done.", "Done."), Told.said(events));
      assertEquals(3, Told.of(events, "submission-admitted").size());
    }
  }

  @Test
  void readersAreAnsweredAtTheEndAndResumeFromTheirOffsets() throws Exception {
    Site site = Site.make(directory, SCRIPT);
    List<CompletableFuture<Caller.Answer>> polls = new ArrayList<>();
    List<CompletableFuture<Set<String>>> streams = new ArrayList<>();
    CompletableFuture<Caller.Answer> faults;
    try (Child child = Child.start(site.configuration());
        Caller caller = new Caller(child.listens())) {
      Caller.Answer _ = caller.admit(Caller.turn("quiet", true, "m", "a"), "quiet");
      List<JsonNode> _ = caller.until("quiet/coder", Told.has("submission-settled", 1));
      String end = caller.updates("quiet/coder", "").header("stream-next-offset");
      holdOneAndQueueTwo(caller);
      for (int reader = 0; reader < READERS; reader++) {
        polls.add(later(() -> caller.longPoll("quiet/coder", end)));
        streams.add(later(() -> caller.streamed(ID, Integer.MAX_VALUE)));
      }
      faults = later(() -> caller.get("/faults?live=long-poll&offset=0"));
      child.signal("TERM");
      assertTrue(child.err().await("draining").isPresent(), child::said);
      streams.add(later(() -> caller.streamed(ID, Integer.MAX_VALUE)));
      site.letGo();
      assertEquals(0, child.awaitExit(), child::said);
      for (CompletableFuture<Caller.Answer> poll : polls) {
        Caller.Answer answer = poll.get(Caller.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertEquals(204, answer.status(), answer::body);
        assertEquals(end, answer.header("stream-next-offset"));
      }
      assertEquals(204, faults.get(Caller.PATIENCE.toSeconds(), TimeUnit.SECONDS).status());
      assertEquals("0", faults.join().header("stream-next-offset"));
    }
    try (Child child = Child.start(site.configuration());
        Caller caller = new Caller(child.listens())) {
      int events = caller.updates(ID, "").json().size();
      for (CompletableFuture<Set<String>> stream : streams) {
        List<String> ids = List.copyOf(stream.get(Caller.PATIENCE.toSeconds(), TimeUnit.SECONDS));
        assertEquals(events, ids.size());
        assertEquals(0, caller.updates(ID, ids.getLast()).json().size());
      }
      assertEquals(
          0,
          caller
              .updates("quiet/coder", polls.getFirst().join().header("stream-next-offset"))
              .json()
              .size());
    }
  }

  @Test
  void aSecondTermEndsItAtOnceAsACrashDoes() throws Exception {
    Site site = Site.make(directory, SCRIPT);
    try (Child child = Child.start(site.configuration());
        Caller caller = new Caller(child.listens())) {
      holdOneAndQueueTwo(caller);
      child.signal("TERM");
      assertTrue(child.err().await("draining").isPresent(), () -> "" + child.err());
      child.signal("TERM");
      assertNotEquals(0, child.awaitExit());
    }
    assertTheHeldOneIsLost(site);
  }

  @Test
  void whatADrainHasNoTimeForIsLeftAsACrashLeavesIt() throws Exception {
    Site site = Site.make(directory, SCRIPT, "drain: 100ms");
    try (Child child = Child.start(site.configuration());
        Caller caller = new Caller(child.listens())) {
      holdOneAndQueueTwo(caller);
      child.signal("TERM");
      assertEquals(0, child.awaitExit(), () -> "" + child.err());
    }
    assertTheHeldOneIsLost(site);
  }

  @Test
  void aProcessThatWasFrozenGoesOn() throws Exception {
    Site site = Site.make(directory, SCRIPT);
    try (Child child = Child.start(site.configuration());
        Caller caller = new Caller(child.listens())) {
      holdOneAndQueueTwo(caller);
      String end = caller.updates(ID, "").header("stream-next-offset");
      CompletableFuture<Caller.Answer> reader = later(() -> caller.longPoll(ID, end));
      child.signal("STOP");
      CompletableFuture<Caller.Answer> writer = later(() -> caller.admit(body("more"), "more"));
      child.awaitFrozen();
      site.letGo();
      child.signal("CONT");

      assertEquals(200, reader.get(Caller.PATIENCE.toSeconds(), TimeUnit.SECONDS).status());
      assertEquals(200, writer.get(Caller.PATIENCE.toSeconds(), TimeUnit.SECONDS).status());
      List<JsonNode> events = caller.until(ID, Told.has("submission-settled", 4));
      assertEquals(
          List.of("completed", "completed", "completed", "completed"), Told.outcomes(events));
    }
  }

  private static void holdOneAndQueueTwo(Caller caller) throws Exception {
    List<String> prompts = List.of("hold on", "the second", "the third");
    for (String prompt : prompts) {
      Caller.Answer answer = caller.admit(body(prompt), "key-" + prompts.indexOf(prompt));
      assertEquals(200, answer.status(), answer::body);
    }
    List<JsonNode> _ = caller.until(ID, Told.has("turn-started", 1));
  }

  private static void assertTheHeldOneIsLost(Site site) throws Exception {
    try (Child child = Child.start(site.configuration());
        Caller caller = new Caller(child.listens())) {
      List<JsonNode> events = caller.until(ID, Told.has("submission-settled", 3));
      assertEquals(List.of("failed", "completed", "completed"), Told.outcomes(events));
      assertEquals(
          "turn-lost",
          Told.of(events, "submission-settled").getFirst().at("/fault/class").asText());
    }
  }

  private static <T> CompletableFuture<T> later(Callable<T> call) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    Thread _ =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    answer.complete(call.call());
                  } catch (Exception e) {
                    answer.completeExceptionally(e);
                  }
                });
    return answer;
  }

  private static String body(String prompt) {
    return Caller.turn("run-1", true, "m", prompt);
  }
}
