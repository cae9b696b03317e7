package harness;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import harness.cli.ScenarioHost;
import harness.cli.Surroundings;
import harness.scenario.GitRepositories;
import harness.scenario.Host;
import harness.scenario.Mutations;
import harness.scenario.OwnServer;
import harness.scenario.Scenario;
import harness.scenario.ScenarioFailure;
import harness.scenario.ScenarioFormatException;
import harness.scenario.ScenarioReader;
import harness.scenario.ScenarioRunner;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Each scenario of the repository holds against a real server on a real port. */
class ScenarioTest {
  private static final Path SCENARIOS = Path.of("scenarios").toAbsolutePath();
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @TempDir Path scratch;

  @AfterAll
  static void closeClient() {
    CLIENT.close();
  }

  static ScenarioHost host() {
    return new ScenarioHost(
        new Surroundings(Map.of(), SCENARIOS), RunningHarness::start, Main::self);
  }

  private ScenarioRunner runner(Host host, Duration patience) throws IOException {
    return new ScenarioRunner(
        new OwnServer(host, scratch.toRealPath(), CLIENT),
        new GitRepositories(),
        new Random(1),
        InstantSource.system(),
        patience);
  }

  @TestFactory
  Stream<DynamicTest> everyScenarioHolds() throws ScenarioFormatException, IOException {
    ScenarioRunner runner = runner(host(), ScenarioRunner.PATIENCE);
    List<Scenario> scenarios = ScenarioReader.readAll(SCENARIOS);
    return scenarios.stream()
        .map(each -> DynamicTest.dynamicTest(each.name(), () -> runner.play(each)));
  }

  /** One wrong expectation of each kind in each scenario, chosen anew in each run. */
  @TestFactory
  Stream<DynamicTest> aWrongExpectationInAnyOfThemFails() throws IOException {
    long seed = Seed.get(ScenarioTest.class);
    Random random = new Random(seed);
    ScenarioRunner runner = runner(inProcess(), Duration.ofSeconds(10));
    List<DynamicTest> tests = new ArrayList<>();
    for (Path file : files()) {
      String name = String.valueOf(file.getFileName()).replace(".yaml", "");
      for (Mutations.Mutant mutant :
          Mutations.some(new YAMLMapper().readTree(file.toFile()), random)) {
        tests.add(
            DynamicTest.dynamicTest(
                name + " " + mutant.name() + " (-Dseed=" + seed + ")",
                () -> fails(runner, mutant.scenario(name), mutant.step())));
      }
    }
    return tests.stream();
  }

  /** Killed at each point at which somebody is about to answer, and started again. */
  @TestFactory
  Stream<DynamicTest> whatWaitsForAnAnswerHoldsOverAKill() throws Exception {
    ScenarioRunner runner = runner(host(), ScenarioRunner.PATIENCE);
    List<DynamicTest> tests = new ArrayList<>();
    for (Path file : files()) {
      String name = String.valueOf(file.getFileName()).replace(".yaml", "");
      JsonNode tree = new YAMLMapper().readTree(file.toFile());
      ArrayNode steps = JsonNodeFactory.instance.arrayNode();
      boolean killed = false;
      boolean answering = false;
      for (JsonNode step : tree.path("steps")) {
        boolean answers = step.path("request").path("path").asText().endsWith("/answers");
        if (answers && !answering) {
          steps.addObject().putObject("restart");
          killed = true;
        }
        answering = answers;
        steps.add(step);
      }
      if (killed) {
        ((ObjectNode) tree).set("steps", steps);
        Scenario scenario = ScenarioReader.parse(tree.toString(), name);
        tests.add(DynamicTest.dynamicTest(name, () -> runner.play(scenario)));
      }
    }
    assertTrue(tests.size() >= 8, tests::toString);
    return tests.stream();
  }

  private static void fails(ScenarioRunner runner, Scenario scenario, int step) {
    ScenarioFailure failure = assertThrows(ScenarioFailure.class, () -> runner.play(scenario));
    String message = String.valueOf(failure.getMessage());
    assertTrue(message.startsWith(scenario.name() + ", step " + step + " ("), message);
  }

  /** Ends servers instead of killing them, which is faster and as good for what must fail. */
  private static Host inProcess() {
    Host host = host();
    return setup ->
        host.start(
            new Host.Setup(
                setup.workspace(),
                setup.slots(),
                setup.state(),
                setup.script(),
                setup.rights(),
                setup.limits(),
                setup.contextWindows(),
                false));
  }

  private static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(SCENARIOS)) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
  }
}
