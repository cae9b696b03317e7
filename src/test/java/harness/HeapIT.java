package harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The built program holds in its memory what runs, and not what it holds. */
@Timeout(300)
class HeapIT {
  private static final String SCRIPT =
      """
      models:
        m:
          - when: hold
            steps: [ { wait-for-file: HOLD, text: Held no more. } ]
          - steps: [ { text: Done. } ]
      """;
  private static final int HELD = 1_000;
  private static final int LIVE = 100;

  /** All of them together are more than the heap. */
  private static final String LONG = "x".repeat(280_000);

  private static final int LARGER_BYTES = 2_000_000;
  private static final int LARGER_TURNS = 80;

  @TempDir static Path directory;

  private static Site site;

  @BeforeAll
  static void hold() throws Exception {
    site = Site.make(directory, SCRIPT, "live-turns: " + LIVE);
    try (Child child = Child.start(site.configuration());
        Caller caller = new Caller(child.listens())) {
      settle(caller, "long", LONG);
      settle(caller, "larger", "x".repeat(LARGER_BYTES));
      child.signal("TERM");
      assertEquals(0, child.awaitExit(), child::said);
    }
    try (HeldState state = HeldState.of(site.state(), "long/coder")) {
      for (int number = 0; number < HELD; number++) {
        state.hold("held-" + number + "/coder", 1);
      }
    }
    try (HeldState state = HeldState.of(site.state(), "larger/coder")) {
      state.hold("largest/coder", LARGER_TURNS);
    }
  }

  private static void settle(Caller caller, String run, String prompt) throws Exception {
    admit(caller, run, prompt);
    List<JsonNode> _ = caller.until(run + "/coder", Told.has("submission-settled", 1));
  }

  private static void admit(Caller caller, String run, String prompt) throws Exception {
    Caller.Answer answer = caller.admit(Caller.turn(run, true, "m", prompt), "");
    assertEquals(200, answer.status(), answer::body);
  }

  @Test
  void aThousandConversationsAndAHundredLiveTurnsFitInto256Megabytes() throws Exception {
    try (Child child = Child.start(site.configuration(), "-Xmx256m");
        Caller caller = new Caller(child.listens())) {
      for (int number = 0; number < LIVE; number++) {
        admit(caller, "held-" + number, "hold on");
      }
      for (int number = 0; number < LIVE; number++) {
        assertEquals("running", state(caller, number).asText());
      }
      site.letGo();
      for (int number = 0; number < LIVE; number++) {
        List<JsonNode> events =
            caller.until("held-" + number + "/coder", Told.has("submission-settled", 2));
        assertEquals(List.of("completed", "completed"), Told.outcomes(events));
      }
      assertFalse(child.err().toString().contains("OutOfMemory"), child::said);
    }
  }

  private static JsonNode state(Caller caller, int number) throws Exception {
    String path = Caller.path("held-" + number + "/coder") + "?view=history";
    long deadline = System.nanoTime() + Caller.PATIENCE.toNanos();
    JsonNode state = caller.get(path).json().at("/queue/0/state");
    while (state.asText().equals("queued") && System.nanoTime() < deadline) {
      state = caller.get(path).json().at("/queue/0/state");
    }
    return state;
  }

  @Test
  void aHistoryThatIsLargerThanTheHeapCanBeRead() throws Exception {
    try (Child child = Child.start(site.configuration(), "-Xmx96m");
        Caller caller = new Caller(child.listens());
        InputStream history = caller.open(Caller.path("largest/coder") + "?view=history")) {
      long bytes = 0;
      int last = 0;
      byte[] buffer = new byte[1 << 16];
      for (int read = history.read(buffer); read >= 0; read = history.read(buffer)) {
        bytes += read;
        last = read > 0 ? buffer[read - 1] : last;
      }
      assertTrue(bytes > (long) LARGER_BYTES * LARGER_TURNS, bytes + " bytes");
      assertEquals('}', last);
      assertFalse(child.err().toString().contains("OutOfMemory"), child::said);
    }
  }
}
