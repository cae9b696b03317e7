package harness.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A server of its own for each scenario, started by a {@link Host} in a new directory. */
public final class OwnServer implements Target {
  private final Host host;
  private final Path scratch;
  private final HttpClient client;

  /**
   * @param scratch an existing directory, absolute and free of links, in which each play makes one
   */
  public OwnServer(Host host, Path scratch, HttpClient client) {
    this.host = host;
    this.scratch = scratch;
    this.client = client;
  }

  @Override
  public Optional<String> refusal(Scenario scenario) {
    return Optional.empty();
  }

  @Override
  public Stage open(Scenario scenario) throws IOException {
    return new Own(scenario, Files.createTempDirectory(scratch, scenario.name() + "-"));
  }

  private final class Own implements Stage {
    private final Scenario scenario;
    private final Path base;
    private Optional<Host.Running> running = Optional.empty();
    private boolean held;

    Own(Scenario scenario, Path base) {
      this.scenario = scenario;
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
    public Map<String, String> slots() {
      Map<String, String> slots = new LinkedHashMap<>();
      scenario
          .workspace()
          .slots()
          .forEach((slot, path) -> slots.put(slot, root().resolve(path).toString()));
      return slots;
    }

    @Override
    public Wire start() throws IOException, InterruptedException {
      Path script = base.resolve("script.yaml");
      if (!Files.exists(script)) {
        Names names = new Names();
        names.put("root", root().toString());
        names.put("outside", outside().toString());
        try {
          Files.writeString(
              script, names.fill(ScenarioScript.of(scenario.name(), scenario.script())).toString());
        } catch (ScenarioFailure unnamed) {
          throw new IOException("the script: " + unnamed.getMessage(), unnamed);
        }
      }
      Path rights = base.resolve("rights.yaml");
      if (scenario.rights().isObject() && !Files.exists(rights)) {
        rights(scenario.rights());
      }
      Host.Running started =
          host.start(
              new Host.Setup(
                  root(),
                  slots(),
                  base.resolve("state"),
                  script,
                  Optional.of(rights).filter(Files::exists),
                  scenario.limits(),
                  contextWindows(scenario),
                  scenario.restarts()));
      running = Optional.of(started);
      return new Wire(client, started.uri(), Optional.empty());
    }

    private static Map<String, Integer> contextWindows(Scenario scenario) {
      return scenario.contextWindow().isPresent()
          ? Map.of(scenario.name(), scenario.contextWindow().getAsInt())
          : Map.of();
    }

    @Override
    public Wire restart() throws IOException, InterruptedException {
      end();
      return start();
    }

    @Override
    public void rights(JsonNode file) throws IOException {
      Path next = Files.writeString(base.resolve("rights.next"), file.toString());
      Files.move(next, base.resolve("rights.yaml"), StandardCopyOption.ATOMIC_MOVE);
    }

    private void end() throws IOException {
      if (running.isPresent()) {
        running.get().kill();
        running = Optional.empty();
      }
    }

    @Override
    public void held() {
      held = true;
    }

    @Override
    public void close() throws IOException {
      end();
      if (held) {
        Removal.of(base);
      }
    }
  }
}
