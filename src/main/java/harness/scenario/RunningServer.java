package harness.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A server that runs already, on this machine: each scenario gets a directory of its own under the
 * server's workspace root, and what needs a server that is told something else is refused. The
 * server's provider {@value ScenarioRunner#PROVIDER} must say what {@link ScenarioScript} wrote,
 * with the context windows that scenarios have. A scenario with slots that looks at no file is
 * played where the server's have the same names.
 */
public final class RunningServer implements Target {
  /** How long the server may take to say what its workspace is. */
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);

  private final Wire wire;
  private final Path workspace;
  private final Path scratch;

  /**
   * @param token empty for a server without auth
   * @param workspace the server's workspace root, as it names it
   * @param scratch an existing directory, absolute and free of links, for what is to lie outside
   */
  public RunningServer(
      HttpClient client, URI uri, Optional<String> token, Path workspace, Path scratch) {
    this.wire = new Wire(client, uri, token);
    this.workspace = workspace;
    this.scratch = scratch;
  }

  @Override
  public Optional<String> refusal(Scenario scenario) throws IOException, InterruptedException {
    Optional<String> reason = reason(scenario);
    if (reason.isEmpty() && !scenario.workspace().outside().isEmpty()) {
      reason =
          Optional.of("it needs files outside the workspace, and " + scratch + " is inside")
              .filter(_ -> scratch.startsWith(workspace));
    }
    Set<String> slots = scenario.workspace().slots().keySet();
    if (reason.isEmpty() && !slots.isEmpty() && !slots().keySet().equals(slots)) {
      return Optional.of(
          "it needs a server with the slots "
              + new TreeSet<>(slots)
              + "; this one has "
              + slots().keySet());
    }
    return reason.map(why -> why + "; play it without --against");
  }

  /** What a scenario needs that no server that runs already can give it; empty for nothing. */
  public static Optional<String> reason(Scenario scenario) {
    if (scenario.restarts()) {
      return Optional.of("it kills its server");
    }
    if (!scenario.workspace().slots().isEmpty() && scenario.looksAtFiles()) {
      return Optional.of("it needs slots of its own");
    }
    if (!scenario.limits().isEmpty()) {
      return Optional.of("it needs limits of its own");
    }
    if (scenario.rights().isObject()) {
      return Optional.of("it needs a file of rights of its own");
    }
    if (Names.hasPlace(scenario.script())) {
      return Optional.of("its script names a path that is known only when it is played");
    }
    return Optional.empty();
  }

  /** The server's slots by name; none where it does not say. */
  private Map<String, String> slots() throws IOException, InterruptedException {
    Map<String, String> slots = new TreeMap<>();
    for (JsonNode slot : wire.get("/workspace", ANSWER_WITHIN).json().path("slots")) {
      slots.put(slot.path("slot").asText(), slot.path("worktree").asText());
    }
    return slots;
  }

  @Override
  public Stage open(Scenario scenario) throws IOException, InterruptedException {
    if (!Files.isDirectory(workspace)) {
      throw new IOException(
          "the workspace root " + workspace + " is no directory here; play where the server runs");
    }
    String name = "scenario-" + scenario.name() + "-";
    return new Guest(
        Files.createTempDirectory(workspace, name),
        Files.createTempDirectory(scratch, name),
        scenario.workspace().slots().isEmpty() ? Map.of() : slots());
  }

  private final class Guest implements Stage {
    private final Path base;
    private final Path beside;
    private final Map<String, String> slots;
    private boolean held;

    Guest(Path base, Path beside, Map<String, String> slots) {
      this.base = base;
      this.beside = beside;
      this.slots = slots;
    }

    @Override
    public Path root() {
      return base.resolve("work");
    }

    @Override
    public Path outside() {
      return beside.resolve("outside");
    }

    @Override
    public Map<String, String> slots() {
      return slots;
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
        Removal.of(beside);
      }
    }
  }
}
