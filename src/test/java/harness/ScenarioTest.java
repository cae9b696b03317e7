package harness;

import harness.cli.ScenarioHost;
import harness.cli.Surroundings;
import harness.scenario.GitRepositories;
import harness.scenario.OwnServer;
import harness.scenario.Scenario;
import harness.scenario.ScenarioFormatException;
import harness.scenario.ScenarioReader;
import harness.scenario.ScenarioRunner;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.InstantSource;
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
        new Surroundings(Map.of(), SCENARIOS), RunningHarness::start, Main.self());
  }

  @TestFactory
  Stream<DynamicTest> everyScenarioHolds() throws ScenarioFormatException, IOException {
    ScenarioRunner runner =
        new ScenarioRunner(
            new OwnServer(host(), scratch.toRealPath(), CLIENT),
            new GitRepositories(),
            new Random(1),
            InstantSource.system(),
            ScenarioRunner.PATIENCE);
    List<Scenario> scenarios = ScenarioReader.readAll(SCENARIOS);
    return scenarios.stream()
        .map(each -> DynamicTest.dynamicTest(each.name(), () -> runner.play(each)));
  }
}
