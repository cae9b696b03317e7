package harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.cli.ConfigurationReader;
import harness.cli.Program;
import harness.cli.Server;
import harness.cli.StartException;
import harness.cli.Surroundings;
import harness.client.Timing;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScenariosCommandTest {
  private static final String HOLDS =
      """
      scenario: A note lands in the workspace
      script:
        - steps:
            - calls: [ { name: write, input: { path: note.txt, content: hello } } ]
            - text: Done.
      steps:
        - admit: { as: note, body: { prompt: Write, cwd: "{{root}}" } }
        - settled: { of: note, outcome: completed }
        - changed: [ note.txt ]
      """;

  @TempDir Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void writeScenarios() throws IOException {
    Files.createDirectories(directory.resolve("all"));
    Files.createDirectories(directory.resolve("work"));
    Files.writeString(directory.resolve("all/holds.yaml"), HOLDS);
    Files.writeString(
        directory.resolve("all/slots.yaml"),
        "scenario: Slots\nworkspace: { slots: { a: a } }\nsteps: [ { absent: [ a ] } ]");
  }

  private Surroundings surroundings() throws IOException {
    return new Surroundings(Map.of("HARNESS_TOKEN", "secret"), directory.toRealPath());
  }

  private int run(String... arguments) throws IOException {
    return new Program(
            surroundings(),
            RunningHarness::start,
            _ -> {
              throw new StartException("there is no runner here");
            },
            Main::self,
            new Timing(InstantSource.system(), Thread::sleep, new Random(1)),
            new PrintWriter(out),
            new PrintWriter(err))
        .run(arguments);
  }

  private void assertPrinted(String... lines) {
    for (String line : lines) {
      assertTrue(out.toString().contains(line), () -> line + " is not in:\n" + out + err);
    }
  }

  @Test
  void eachScenarioGetsAServerOfItsOwn() throws IOException {
    assertEquals(0, run("scenarios", "all"), err::toString);
    assertPrinted("held     holds: A note lands in the workspace\n", "2 held, 0 failed, 0 skipped");
  }

  @Test
  void oneThatDoesNotHoldEndsWithOne() throws IOException {
    Files.writeString(
        directory.resolve("all/wrong.yaml"), HOLDS.replace("[ note.txt ]", "[ other.txt ]"));
    assertEquals(1, run("scenarios", "all"));
    assertPrinted(
        "failed   wrong, step 3 (changed): what changed since the scenario began\n"
            + "  expected: [other.txt]\n"
            + "  actual:   [note.txt]\n",
        "2 held, 1 failed, 0 skipped");
  }

  @Test
  void aFileThatIsNoScenarioEndsWithTwo() throws IOException {
    Files.writeString(directory.resolve("all/wrong.yaml"), "scenario: [");
    assertEquals(2, run("scenarios", "all"));
    assertTrue(err.toString().contains("the scenario wrong, line 1"), err::toString);
  }

  @Test
  void againstARunningServerItPlaysWhatThatOneCanGive() throws Exception {
    Files.writeString(
        directory.resolve("all/two.yaml"),
        """
        scenario: Two slots
        workspace: { slots: { a: x, b: y }, outside: { secret.txt: no } }
        context-window: 24000
        steps:
          - admit: { body: { prompt: "Where?" }, status: 400, error: [ "{{slot.a}}", "{{slot.b}}" ] }
          - admit: { body: { prompt: Go, cwd: "{{outside}}" }, status: 400, error: [ outside ] }
        """);
    Files.writeString(
        directory.resolve("all/third.yaml"),
        "scenario: Others\nworkspace: { slots: { c: c } }\n"
            + "steps: [ { admit: { body: { prompt: Go } } } ]");
    for (String slot : new String[] {"one", "other"}) {
      Files.createDirectories(directory.resolve("work").resolve(slot));
    }
    assertEquals(0, run("scenarios", "all", "--script", "script.yaml"), err::toString);
    assertPrinted("its slots, for two: [a, b]\n", "two: { context-window: 24000 }");
    String provider =
        out.toString()
            .lines()
            .filter(line -> line.startsWith("the provider of the server: "))
            .findFirst()
            .orElse("")
            .replace("the provider of the server: ", "");
    Path base = directory.toRealPath();
    String configuration =
        """
        harness:
          listen: 127.0.0.1:0
          token-sha256: [ 2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b ]
          state: %1$s/state
          workspace: { root: %1$s/work, slots: { a: %1$s/work/one, b: %1$s/work/other } }
          providers: [ %2$s ]
        """
            .formatted(base, provider);
    try (Server server =
        RunningHarness.start(
            new ConfigurationReader(surroundings()).parse(configuration, "test", Map.of()))) {
      String url = server.uri().toString();
      assertEquals(0, run("scenarios", "all", "--against", url, "--workspace", "work"));
      assertPrinted(
          "skipped  slots: it needs slots of its own",
          "skipped  third: it needs a server with the slots [c]; this one has [a, b]",
          "held     two: Two slots",
          "2 held, 0 failed, 2 skipped");
      try (Stream<Path> left = Files.list(base.resolve("work"))) {
        assertEquals(2, left.count());
      }
      Files.writeString(directory.resolve("other"), "other\n");
      String[] wrong = {
        "scenarios", "all", "--against", url, "--workspace", "work", "--token-file", "other"
      };
      assertEquals(1, run(wrong));
      assertPrinted("failed   holds, step 1 (admit): POST /turns: the status");
      assertEquals(2, run("scenarios", "all", "--against", url));
      assertTrue(err.toString().contains("--against needs --workspace"), err::toString);
    }
  }
}
