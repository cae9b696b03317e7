package harness.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.TestHarness;
import harness.TestSettings;
import harness.model.provider.ProviderConfig;
import harness.model.scripted.Script;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The workflow of the README: a fault on the first attempt, a re-brief, a review, a fix. */
@Timeout(120)
class WorkflowTest {
  /** The first rule that fits is followed: a coder that was told to look first does better. */
  private static final String SCRIPT =
      """
      models:
        coder:
          - when: did not approve
            seen: I wrote the greeting.
            steps:
              - calls: [ { name: edit, input: { path: ada.txt, edits: [ { old: Helo, new: Hello } ] } } ]
              - calls: [ { name: finish, input: {} } ]
          - when: Look first
            seen: This conversation is new
            steps:
              - text: I wrote the greeting.
                calls: [ { name: write, input: { path: ada.txt, content: "Helo, Ada!\\n" } } ]
              - calls: [ { name: finish, input: {} } ]
          - when: Greet Bob
            steps: [ { calls: [ { name: finish, input: {} } ] } ]
          - when: Greet Ada
            steps:
              - calls: [ { name: list, input: { path: . } } ]
              - calls: [ { name: list, input: { path: . } } ]
              - calls: [ { name: list, input: { path: . } } ]
              - calls: [ { name: list, input: { path: . } } ]
        reviewer:
          - when: Greet Bob
            steps: [ { error: { kind: server, message: it broke } } ]
          - seen: Helo
            steps:
              - text: ""
              - text: One letter is missing.
                calls: [ { name: reject, input: {} } ]
          - seen: Hello
            steps: [ { text: "" }, { calls: [ { name: approve, input: {} } ] } ]
          - steps: [ { calls: [ { name: read, input: { path: ada.txt } } ] } ]
      """;

  private static TestHarness harness(Path directory) throws Exception {
    return TestSettings.in(directory)
        .slots(Map.of("target", "target/feature-x"))
        .start(
            List.of(
                new ProviderConfig.Scripted("lab", Script.parse(SCRIPT, "of the test"), Map.of())));
  }

  private static HarnessClient client(Transport transport) {
    return new HarnessClient(
        transport, new Timing(InstantSource.system(), Thread::sleep, new Random(1)), _ -> {});
  }

  @Test
  void aFaultOfTheReviewerIsNotTheCodersToMend(@TempDir Path directory) throws Exception {
    try (TestHarness harness = harness(directory);
        JdkTransport transport = new JdkTransport(harness.uri(), Optional.empty())) {
      HarnessClient client = client(transport);
      Workflow workflow =
          new Workflow(
              new Orchestrator(client, new EpochLedger(EpochLedger.Data.EMPTY)),
              client.workspace(),
              harness.root().resolve("target/feature-x").toString());

      assertFalse(workflow.run("Greet Bob."));
      List<String> turns = workflow.conversations();
      assertEquals("run-42/task/coder", turns.getFirst());
      assertEquals(4, turns.size(), turns::toString);
      assertTrue(
          turns.stream().skip(1).allMatch(id -> id.startsWith("run-42/task/reviewer/f-")),
          turns::toString);
    }
  }

  @Test
  void aRunawayBurnsTheFirstAttemptAndTheNextOnesContinueWhatFollows(@TempDir Path directory)
      throws Exception {
    try (TestHarness harness = harness(directory);
        JdkTransport transport = new JdkTransport(harness.uri(), Optional.empty())) {
      HarnessClient client = client(transport);
      EpochLedger ledger = new EpochLedger(EpochLedger.Data.EMPTY);
      Path worktree = harness.root().resolve("target/feature-x");
      Workflow workflow =
          new Workflow(new Orchestrator(client, ledger), client.workspace(), worktree.toString());

      assertTrue(workflow.run("Greet Ada in ada.txt."));
      assertEquals("Hello, Ada!\n", Files.readString(worktree.resolve("ada.txt")));
      List<String> turns = workflow.conversations();
      assertEquals("run-42/task/coder", turns.get(0));
      assertEquals("run-42/task/coder/1", turns.get(1));
      assertTrue(turns.get(2).startsWith("run-42/task/reviewer/f-"), turns::toString);
      assertEquals("run-42/task/coder/1", turns.get(3));
      assertEquals(5, turns.size());
      assertEquals(1, ledger.entry(new Address("run-42", "task", "coder")).epoch());
    }
  }
}
