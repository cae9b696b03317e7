package harness.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A server that runs already, on this machine: each scenario gets a directory of its own under the
 * server's workspace root, and what needs a server that is told something else is refused. The
 * server's provider {@value ScenarioRunner#PROVIDER} must say what {@link ScenarioScript} wrote.
 */
public final class RunningServer implements Target {
  private final Wire wire;
  private final Path workspace;

  /**
   * @param token empty for a server without auth
   * @param workspace the server's workspace root, as it names it
   */
  public RunningServer(HttpClient client, URI uri, Optional<String> token, Path workspace) {
    this.wire = new Wire(client, uri, token);
    this.workspace = workspace;
  }

  @Override
  public Optional<String> refusal(Scenario scenario) {
    return reason(scenario).map(why -> why + "; play it without --against");
  }

  /** What a scenario needs that a server that runs already can't give it; empty for nothing. */
  public static Optional<String> reason(Scenario scenario) {
    if (scenario.restarts()) {
      return Optional.of("it kills its server");
    }
    if (!scenario.workspace().slots().isEmpty()) {
      return Optional.of("it needs slots of its own");
    }
    if (!scenario.limits().isEmpty()) {
      return Optional.of("it needs limits of its own");
    }
    if (scenario.contextWindow().isPresent()) {
      return Optional.of("its model has a context window of its own");
    }
    if (scenario.rights().isObject()) {
      return Optional.of("it needs a file of rights of its own");
    }
    if (!scenario.workspace().outside().isEmpty()) {
      return Optional.of("it needs files outside the workspace");
    }
    if (Names.hasPlace(scenario.script())) {
      return Optional.of("its script names a path that is known only when it is played");
    }
    return Optional.empty();
  }

  @Override
  public Stage open(Scenario scenario) throws IOException {
    if (!Files.isDirectory(workspace)) {
      throw new IOException(
          "the workspace root " + workspace + " is no directory here; play where the server runs");
    }
    return new Guest(Files.createTempDirectory(workspace, "scenario-" + scenario.name() + "-"));
  }

  private final class Guest implements Stage {
    private final Path base;
    private boolean held;

    Guest(Path base) {
      this.base = base;
    }

    @Override
    public Path root() {
      return base.resolve("work");
    }

    @Override
    public Path outside() {
      return base.resolve("outside");
    }

    @Override
    public Wire start() {
      return wire;
    }

    @Override
    public Wire restart() throws IOException {
      throw new IOException("a server that runs already is not restarted");
    }

    @Override
    public void rights(JsonNode file) throws IOException {
      throw new IOException("the rights of a server that runs already are not changed");
    }

    @Override
    public void held() {
      held = true;
    }

    @Override
    public void close() throws IOException {
      if (held) {
        Removal.of(base);
      }
    }
  }
}
