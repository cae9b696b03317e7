package harness.cli;

import harness.scenario.Host;
import harness.scenario.OwnServer;
import harness.scenario.RunningServer;
import harness.scenario.Scenario;
import harness.scenario.ScenarioFailure;
import harness.scenario.ScenarioFormatException;
import harness.scenario.ScenarioReader;
import harness.scenario.ScenarioRunner;
import harness.scenario.ScenarioScript;
import harness.scenario.Target;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Plays scenarios, each against a server of its own or all against one that runs. */
@Command(
    name = "scenarios",
    description = {
      "Plays scenarios and says which held: each against a server of its own, or all against one"
          + " that runs on this machine.",
      "A running server needs the provider 'scripted' with the script that --script writes."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class ScenariosCommand implements Callable<Integer> {
  private final Surroundings surroundings;
  private final Host host;
  private final Plays plays;
  private final PrintWriter out;

  @Parameters(paramLabel = "PATH", description = "A scenario, or a directory of them.")
  private String path = "";

  @Option(
      names = "--against",
      paramLabel = "URL",
      description = "A server that runs; without it each scenario starts its own.")
  private Optional<URI> against = Optional.empty();

  @Mixin private final TokenOption token = new TokenOption();

  @Option(
      names = "--workspace",
      paramLabel = "DIR",
      description = "Its workspace root, in which each scenario makes a directory.")
  private Optional<String> workspace = Optional.empty();

  @Option(
      names = "--script",
      paramLabel = "FILE",
      description = "Writes what the scripted provider of that server must say; plays nothing.")
  private Optional<String> script = Optional.empty();

  ScenariosCommand(Surroundings surroundings, Host host, Plays plays, PrintWriter out) {
    this.surroundings = surroundings;
    this.host = host;
    this.plays = plays;
    this.out = out;
  }

  /** Makes what plays scenarios against a target. */
  @FunctionalInterface
  interface Plays {
    ScenarioRunner against(Target target);
  }

  @Override
  public Integer call() throws ScenarioFormatException, IOException, InterruptedException {
    List<Scenario> scenarios = ScenarioReader.readAll(surroundings.directory().resolve(path));
    if (script.isPresent()) {
      return write(scenarios, surroundings.directory().resolve(script.get()));
    }
    Path scratch = Files.createTempDirectory("harness-scenarios-").toRealPath();
    try (HttpClient client = HttpClient.newHttpClient()) {
      Target target =
          against.isPresent()
              ? running(client, against.get(), scratch)
              : new OwnServer(host, scratch, client);
      int code = play(scenarios, plays.against(target));
      if (code == Program.DONE) {
        Files.delete(scratch);
      }
      return code;
    }
  }

  private Integer write(List<Scenario> scenarios, Path file) throws IOException {
    List<Scenario> playable =
        scenarios.stream().filter(each -> RunningServer.reason(each).isEmpty()).toList();
    Files.writeString(file, ScenarioScript.of(playable));
    out.println("wrote the script of " + playable.size() + " scenarios to " + file);
    out.println("the provider of the server: " + provider(playable, file));
    for (Scenario scenario : playable) {
      if (!scenario.workspace().slots().isEmpty()) {
        out.println(
            "its slots, for " + scenario.name() + ": " + scenario.workspace().slots().keySet());
      }
    }
    return Program.DONE;
  }

  /** A line of its configuration. */
  private static String provider(List<Scenario> scenarios, Path file) {
    String models =
        scenarios.stream()
            .filter(each -> each.contextWindow().isPresent())
            .map(
                each ->
                    each.name() + ": { context-window: " + each.contextWindow().getAsInt() + " }")
            .collect(Collectors.joining(", "));
    return "{ id: "
        + ScenarioRunner.PROVIDER
        + ", api: scripted, script: "
        + file
        + (models.isEmpty() ? "" : ", models: { " + models + " }")
        + " }";
  }

  private Target running(HttpClient client, URI uri, Path scratch) {
    String root =
        workspace.orElseThrow(
            () ->
                new ConfigurationException(
                    List.of("--against needs --workspace, the server's workspace root")));
    return new RunningServer(
        client,
        uri,
        token.token(surroundings),
        surroundings.directory().resolve(root).normalize(),
        scratch);
  }

  private int play(List<Scenario> scenarios, ScenarioRunner runner)
      throws IOException, InterruptedException {
    int held = 0;
    int failed = 0;
    int skipped = 0;
    for (Scenario scenario : scenarios) {
      Optional<String> refusal = runner.refusal(scenario);
      if (refusal.isPresent()) {
        skipped++;
        out.println("skipped  " + scenario.name() + ": " + refusal.get());
      } else {
        try {
          runner.play(scenario);
          held++;
          out.println("held     " + scenario.name() + ": " + scenario.title());
        } catch (ScenarioFailure failure) {
          failed++;
          out.println("failed   " + failure.getMessage());
        }
      }
      out.flush();
    }
    out.println(held + " held, " + failed + " failed, " + skipped + " skipped");
    return failed == 0 && held > 0 ? Program.DONE : Program.FAILED;
  }
}
