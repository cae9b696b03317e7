package harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import harness.cli.Program;
import harness.cli.Surroundings;
import harness.client.Timing;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Turns from a terminal: admitted, watched and aborted, with an exit code for each end. */
@Timeout(120)
class ClientCommandsTest {
  private @TempDir Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private TestHarness harness;
  private Instant now = Instant.EPOCH;

  @BeforeEach
  void start() throws Exception {
    harness = TestSettings.in(directory).tokens("right").start();
    Files.writeString(
        directory.resolve("coder.yaml"),
        "model: test/plain\ninstructions: You write code.\ndescription: The one who codes\n");
    Files.writeString(directory.resolve("token"), "right\n");
  }

  @AfterEach
  void stop() {
    harness.close();
  }

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return new Program(
            new Surroundings(Map.of("HARNESS_URL", harness.uri().toString()), directory),
            _ -> {
              throw new AssertionError("no server is started");
            },
            _ -> {
              throw new AssertionError("no runner is started");
            },
            List::of,
            new Timing(() -> now, this::pass, new Random(1)),
            new PrintWriter(out),
            new PrintWriter(err))
        .run(arguments);
  }

  private void pass(Duration duration) {
    now = now.plus(duration);
  }

  private int admit(String prompt, String... more) {
    List<String> all =
        new ArrayList<>(List.of("admit", "--run", "run", "--path", "task", "--agent", "coder"));
    all.addAll(List.of("--definition", "coder.yaml", "--token-file", "token", "--prompt", prompt));
    all.addAll(Arrays.asList(more));
    return run(all.toArray(String[]::new));
  }

  private JsonNode printed() throws Exception {
    return new ObjectMapper().readTree(out.toString().lines().findFirst().orElse(""));
  }

  @Test
  void aTurnIsAdmittedAndWatchedByWhatThatPrinted() throws Exception {
    assertEquals(0, admit("Do it.", "--continue", "--key", "k"), err::toString);
    JsonNode admitted = printed();
    assertEquals("run/task/coder", admitted.path("instanceId").asText());
    assertTrue(admitted.path("new").asBoolean());
    int code =
        run(
            "watch",
            "coder",
            "run/task/coder",
            "--offset",
            admitted.path("offset").asText(),
            "--token-file",
            "token");
    assertEquals(0, code, err::toString);
    assertEquals(
        """
        coder   starts      in %s
        caller  asks        Do it.
        coder   says        Done.
        completed
        """
            .formatted(harness.root()),
        out.toString());
    // The same key again is the same Turn.
    admit("Do it.", "--continue", "--key", "k");
    assertEquals(admitted.path("submissionId"), printed().path("submissionId"));
  }

  @Test
  void aTurnActsForTheAuthorThatIsNamed() {
    assertEquals(0, admit("Do it.", "--author", "user:alice", "--watch"), err::toString);
    assertTrue(out.toString().contains("alice   asks        Do it."), out::toString);
  }

  @Test
  void aMenuIsReadAndItsPartThatIsAllowed() throws Exception {
    Files.writeString(
        directory.resolve("menu.yaml"),
        "[ { name: finish, description: Done., input: { type: object } } ]");
    assertEquals(7, admit("Do it.", "--menu", "menu.yaml", "--allowed", "dispute"));
    assertTrue(err.toString().contains("dispute"), err::toString);
    assertEquals(1, admit("Do it.", "--menu", "menu.yaml", "--allowed", "finish", "--watch"));
    assertTrue(out.toString().contains("failed: no_signal"), out::toString);
  }

  @Test
  void eachEndHasItsExitCode() throws Exception {
    assertEquals(1, admit("Meet a fault.", "--continue", "--watch"));
    assertTrue(out.toString().contains("the next conversation is run/task/coder/1"));

    admit("Wait for gate-1.", "--continue");
    String id = printed().path("instanceId").asText();
    String offset = printed().path("offset").asText();
    assertEquals("run/task/coder/1", id);
    assertEquals(0, run("abort", "coder", id, "--token-file", "token"));
    assertEquals("aborted\n", out.toString());
    assertEquals(0, run("abort", "coder", id, "--token-file", "token"));
    assertEquals("nothing ran or waited there\n", out.toString());
    assertEquals(3, run("watch", "coder", id, "--offset", offset, "--token-file", "token"));

    assertEquals(4, run("watch", "coder", "run/other", "--token-file", "token"));
    assertEquals(4, run("abort", "coder", "run/other", "--token-file", "token"));
    assertTrue(err.toString().contains("run/other"), err::toString);
    assertEquals(5, run("watch", "coder", id));
    assertEquals(6, run("watch", "coder", id, "--url", "http://127.0.0.1:1"));
    assertEquals(6, run("abort", "coder", id, "--url", "http://127.0.0.1:1"));
    assertEquals(7, admit("Do it.", "--cwd", "relative"));
    assertTrue(err.toString().contains("is not absolute"), err::toString);
    assertEquals(2, run("watch", "coder"));
    assertEquals(2, admit("Do it.", "--url", "nowhere"));
  }

  @Test
  void thatNoHarnessIsThereIsSaidAtTheFirstTry() {
    assertEquals(6, run("watch", "coder", "run/x", "--url", "http://127.0.0.1:1"));
    String first = err.toString().lines().findFirst().orElse("");
    assertTrue(
        first.matches(
            "GET /agents/coder/run%2Fx.* came to: http://127.0.0.1:1: connection refused.*; it is"
                + " tried again for up to 300 s; --url or HARNESS_URL says where the Harness is"),
        err::toString);
    assertEquals(2, err.toString().lines().count(), err::toString);
  }

  @Test
  void theEndIsShownWholeHoweverLongItIs() {
    String run = "r".repeat(200);
    String[] words = {
      "admit",
      "--run",
      run,
      "--agent",
      "coder",
      "--definition",
      "coder.yaml",
      "--continue",
      "--token-file",
      "token",
      "--prompt",
      "Meet a fault.",
      "--watch"
    };
    assertEquals(1, run(words), err::toString);
    String last = out.toString().lines().toList().getLast();
    assertTrue(last.endsWith(" " + run + "/coder/1"), out::toString);
    assertFalse(last.contains("..."), out::toString);
  }

  @Test
  void aFileThatIsNotThereIsAWrongCommandLine() throws Exception {
    assertEquals(2, admit("Do it.", "--menu", "no.yaml"));
    assertEquals(
        "--menu: " + directory.resolve("no.yaml") + " is not there; name a file that is\n",
        err.toString());
    assertEquals(2, run("abort", "coder", "run/x", "--token-file", "no-token"));
    assertTrue(err.toString().startsWith("--token-file: "), err::toString);
    Files.delete(directory.resolve("coder.yaml"));
    assertEquals(2, admit("Do it."));
    assertTrue(err.toString().contains("coder.yaml is not there"), err::toString);
  }

  @Test
  void aDefinitionThatIsNoneIsSaidSo() throws Exception {
    Files.writeString(directory.resolve("coder.yaml"), "model: test/plain\n");
    assertEquals(2, admit("Do it."));
    assertEquals("coder.yaml: a definition needs 'model' and 'instructions'\n", err.toString());
    Files.writeString(
        directory.resolve("coder.yaml"),
        "model: test/plain\ninstructions: You code.\ncwd: /work\n");
    assertEquals(2, admit("Do it."));
    assertTrue(err.toString().contains("coder.yaml: Unrecognized field \"cwd\""), err::toString);
    assertFalse(err.toString().contains("\tat "), err::toString);
  }
}
