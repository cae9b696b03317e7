package harness.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import harness.Bodies;
import harness.Reply;
import harness.TestHarness;
import harness.client.Timing;
import harness.wire.Damage;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A state directory can be looked at, also while its Harness runs. */
@Timeout(120)
class StateCommandsTest {
  @TempDir private Path directory;
  private final StringWriter err = new StringWriter();
  private TestHarness harness;

  private record Ran(int code, List<String> lines) {}

  @BeforeEach
  void start() throws Exception {
    harness = TestHarness.start(directory);
  }

  @AfterEach
  void stop() {
    harness.close();
  }

  private Ran run(String... arguments) {
    StringWriter out = new StringWriter();
    Map<String, String> environment = Map.of("HARNESS_STATE", harness.state().toString());
    int code =
        new Program(
                new Surroundings(environment, directory),
                _ -> {
                  throw new AssertionError("no server is started");
                },
                _ -> {
                  throw new StartException("there is no runner here");
                },
                List::of,
                new Timing(InstantSource.system(), Thread::sleep, new Random(1)),
                new PrintWriter(out),
                new PrintWriter(err))
            .run(arguments);
    return new Ran(code, out.toString().lines().toList());
  }

  private Reply turn(String prompt) {
    Reply reply = harness.post("/turns", Bodies.continued("run", prompt));
    harness.awaitSettled(reply);
    return reply;
  }

  @Test
  void aConversationIsExportedEventByEvent() throws Exception {
    turn("list");
    Ran ran = run("export", "coder", "run/task/coder");
    assertEquals(0, ran.code(), err::toString);
    List<String> types =
        ran.lines().stream().map(line -> json(line).path("event").path("type").asText()).toList();
    assertEquals(
        List.of(
            "submission-admitted",
            "turn-started",
            "prompt-appended",
            "reply-appended",
            "tool-called",
            "tool-returned",
            "reply-appended",
            "submission-settled"),
        types);
    assertEquals(7, json(ran.lines().getLast()).path("sequence").asInt());
  }

  private static JsonNode json(String line) {
    try {
      return new ObjectMapper().readTree(line);
    } catch (java.io.IOException e) {
      throw new IllegalStateException(line, e);
    }
  }

  @Test
  void aConversationThatIsNotHeldIsSaid() {
    assertEquals(1, run("export", "coder", "run/other/coder").code());
    assertEquals(1, run("export", "co/der", "run/other/coder").code());
    assertEquals(1, run("export", "coder", "run/x", "--state", "elsewhere").code());
    assertTrue(err.toString().contains("elsewhere holds no state"), err::toString);
    assertTrue(Files.notExists(directory.resolve("elsewhere")));
  }

  @Test
  void theDoctorCountsWhatThereIs() {
    turn("one");
    turn("Meet a fault.");
    Reply waits = harness.post("/turns", Bodies.continued("other", "gate-1"));
    harness.awaitStarted(waits);
    Ran ran = run("doctor");
    assertEquals(0, ran.code(), ran::toString);
    assertTrue(ran.lines().getFirst().contains("2 conversations, "), ran::toString);
    assertTrue(ran.lines().getFirst().contains("1 Submissions unsettled, 1 faults"), ran::toString);
    assertEquals("nothing is wrong", ran.lines().getLast());
  }

  @Test
  void theDoctorNamesWhatIsDamaged() throws Exception {
    turn("one");
    Damage.to(harness.state(), "run/task/coder");
    Ran ran = run("doctor");
    assertEquals(1, ran.code());
    assertTrue(ran.lines().get(1).contains("run/task/coder can't be read: event 0"), ran::toString);
    assertEquals("1 wrong", ran.lines().getLast());
  }

  @Test
  void theDoctorNamesARowThatSaysSomethingElseThanItsEvents() throws Exception {
    turn("one");
    Damage.row(harness.state(), "run/task/coder", "unsettled = 3");
    assertTrue(run("doctor").lines().get(1).contains("0 unsettled Submissions"));
  }
}
