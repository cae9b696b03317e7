package harness.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

class ScenarioRunnerTest {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /** One with each kind of step, which the fake server fulfils. */
  private static final String EVERYTHING =
      """
      scenario: Everything
      workspace:
        repositories:
          target: { files: { README.md: hello }, worktrees: [ feature-x ] }
        files: { plain/there.txt: there }
        outside: { secret.txt: secret }
        links: { plain/link: "{{outside}}/secret.txt" }
      script:
        - steps: [ { calls: [ { name: write, input: { path: "{{root}}/x" } } ] }, { text: done } ]
      steps:
        - admit: { body: { prompt: hi, cwd: here }, status: 400, error: [ absolute, here ], answer: { field: cwd } }
        - request: { method: GET, path: /agents/coder/other, status: 404, error: [ other ] }
        - admit:
            as: note
            body: { prompt: Write, cwd: "{{root}}/target/feature-x" }
            answer: { epoch: 0, new: true, instanceId: run/task/coder }
        - event: { of: note, type: turn-started, holds: { cwd: "{{root}}/target/feature-x" } }
        - settled: { of: note, outcome: completed, says: It is written. }
        - calls: { of: note, returned: [ write ok ] }
        - events:
            of: note
            types: [ submission-admitted, turn-started, message-appended, tool-called, tool-returned, message-appended, submission-settled ]
        - history: { of: note, messages: [ "user: Write", "assistant: It is written." ] }
        - restart: {}
        - reread: { of: note }
        - admit: { as: failing, body: { prompt: fail, cwd: "{{root}}/plain" } }
        - settled: { of: failing, outcome: failed, error: submission_failed, fault: infra }
        - files:
            target/feature-x/note.txt: "a note\\n"
            plain/there.txt: there
            "{{outside}}/secret.txt": secret
        - absent: [ target/note.txt, nowhere ]
        - changed: [ plain/note.txt, target/feature-x/note.txt ]
        - git:
            target/feature-x: { branch: feature-x, status: [ "?? note.txt" ] }
            target/default: { branch: main, status: [] }
      """;

  @TempDir Path scratch;

  private final FakeServer server = new FakeServer();

  @AfterAll
  static void closeClient() {
    CLIENT.close();
  }

  private ScenarioRunner runner(Target target, Duration patience) {
    return new ScenarioRunner(
        target, new GitRepositories(), new Random(7), InstantSource.system(), patience);
  }

  private void play(JsonNode tree, FakeServer host)
      throws ScenarioFailure, ScenarioFormatException, IOException, InterruptedException {
    Target target = new OwnServer(host, scratch.toRealPath(), CLIENT);
    runner(target, PATIENCE).play(ScenarioReader.of(tree, "everything"));
  }

  private String failure(String steps) throws IOException {
    JsonNode tree = new YAMLMapper().readTree("scenario: One\nsteps:\n" + steps.indent(2));
    return String.valueOf(
        assertThrows(ScenarioFailure.class, () -> play(tree, server)).getMessage());
  }

  @Test
  void whatHoldsHoldsAndLeavesNothingBehind() throws Exception {
    play(new YAMLMapper().readTree(EVERYTHING), server);
    assertEquals(2, server.kills());
    try (Stream<Path> left = Files.list(scratch)) {
      assertEquals(0, left.count());
    }
  }

  @TestFactory
  Stream<DynamicTest> anyWrongExpectationFailsAtItsStep() throws IOException {
    return Mutations.of(new YAMLMapper().readTree(EVERYTHING)).stream()
        .map(
            mutant ->
                DynamicTest.dynamicTest(
                    mutant.name(),
                    () -> {
                      ScenarioFailure failure =
                          assertThrows(
                              ScenarioFailure.class, () -> play(mutant.tree(), new FakeServer()));
                      assertTrue(
                          String.valueOf(failure.getMessage())
                              .startsWith("everything, step " + mutant.step() + " ("),
                          failure::getMessage);
                    }));
  }

  @Test
  void aFailureNamesScenarioStepExpectedAndActual() throws IOException {
    String failure = failure("- admit: { body: { cwd: x } }");
    assertTrue(
        failure.startsWith(
            """
            everything, step 1 (admit): POST /turns: the status
              expected: 200
              actual:   400 {"error":"the Frame's cwd must be absolute, unlike 'x'","field":"cwd"}
              files:    %s/everything-"""
                .formatted(scratch.toRealPath())),
        failure);
  }

  @Test
  void aSubmissionThatNeverSettlesFailsInTime() throws IOException {
    assertTrue(
        failure(
                """
                - admit: { as: a, body: { prompt: hang, cwd: "{{root}}" } }
                - settled: { of: a, outcome: completed }
                """)
            .contains("the settlement did not come within 1000 ms"));
  }

  @Test
  void aHistoryThatChangesItsMindFails() throws IOException {
    JsonNode tree =
        new YAMLMapper()
            .readTree(
                """
                scenario: One
                steps:
                  - admit: { as: a, body: { prompt: hi, cwd: "{{root}}" } }
                  - settled: { of: a, outcome: completed }
                  - request: { method: GET, path: /forget, status: 404 }
                  - reread: { of: a }
                """);
    ScenarioFailure failure = assertThrows(ScenarioFailure.class, () -> play(tree, server));
    assertTrue(String.valueOf(failure.getMessage()).startsWith("everything, step 4 (reread)"));
  }

  @Test
  void anUnknownPlaceholderOrNameIsTold() throws IOException {
    assertTrue(
        failure("- absent: [ \"{{nothing}}\" ]").contains("nothing is named {{nothing}} here"));
    assertTrue(failure("- reread: { of: nobody }").contains("'as: nobody'"));
  }

  @Test
  void aFailedPlayKeepsItsFiles() throws IOException {
    failure("- absent: [ . ]");
    try (Stream<Path> left = Files.list(scratch)) {
      assertEquals(1, left.count());
    }
  }

  @Test
  void againstARunningServerAScenarioGetsADirectoryOfItsOwn() throws Exception {
    Path root = Files.createDirectories(scratch.resolve("pod")).toRealPath();
    Files.writeString(root.resolve("mine.txt"), "mine");
    Host.Running running =
        server.start(
            new Host.Setup(
                root, Map.of(), root, root, Optional.empty(), Map.of(), Map.of(), false));
    Target target =
        new RunningServer(CLIENT, running.uri(), Optional.empty(), root, scratch.toRealPath());
    Scenario scenario =
        ScenarioReader.parse(
            """
            scenario: One
            steps:
              - admit: { as: a, body: { prompt: hi, cwd: "{{root}}" } }
              - settled: { of: a, outcome: completed }
              - changed: [ note.txt ]
            """,
            "one");
    assertEquals(Optional.empty(), target.refusal(scenario));
    runner(target, PATIENCE).play(scenario);
    try (Stream<Path> left = Files.list(root)) {
      assertEquals(1, left.count());
    }
    running.kill();
  }

  @Test
  void whatARunningServerCannotGiveIsRefusedUpFront() throws Exception {
    Target target =
        new RunningServer(
            CLIENT, URI.create("http://127.0.0.1:1"), Optional.empty(), scratch, scratch);
    for (Map.Entry<String, String> each :
        Map.of(
                "workspace: { slots: { a: a/b } }", "slots",
                "workspace: { outside: { a: b } }", "outside",
                "limits: { queue: \"1\" }", "limits",
                "script: [ { steps: [ { text: \"{{root}}\" } ] } ]", "path")
            .entrySet()) {
      Scenario scenario =
          ScenarioReader.parse(
              "scenario: One\n" + each.getKey() + "\nsteps: [ { absent: [ a ] } ]", "one");
      assertTrue(target.refusal(scenario).orElse("").contains(each.getValue()), each.getValue());
    }
    Scenario restarting = ScenarioReader.parse("scenario: One\nsteps: [ { restart: {} } ]", "one");
    assertTrue(target.refusal(restarting).orElse("").contains("kills its server"));
  }
}
