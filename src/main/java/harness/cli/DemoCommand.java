package harness.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import harness.scenario.Removal;
import harness.scenario.ScenarioRunner;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows one whole Turn on a real worktree, with nothing to install or configure. */
@Command(
    name = "demo",
    description =
        "Makes a git repository with a worktree, starts a Harness with a scripted model on a free"
            + " loopback port, and shows one whole Turn; with --provider and --model that model's.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class DemoCommand implements Callable<Integer> {
  private static final Duration ADMISSION_AT_MOST = Duration.ofSeconds(60);
  private static final Duration TURN_AT_MOST = Duration.ofSeconds(60);
  private static final Duration REAL_TURN_AT_MOST = Duration.ofMinutes(10);
  private static final String AGENT = "coder";
  private static final int OK = 200;
  private static final JsonMapper JSON = new JsonMapper();

  private final Surroundings surroundings;
  private final ServerFactory servers;
  private final InstantSource clock;
  private final PrintWriter out;

  @Option(
      names = "--serve",
      description = "Keeps the Harness up afterwards, until it is interrupted.")
  private boolean serve;

  @ArgGroup(exclusive = false, heading = "With a real model:%n")
  private @Nullable Real real;

  /** The provider whose model follows no script. */
  private static final class Real {
    static final String ID = "provider";

    @Option(
        names = "--provider",
        required = true,
        paramLabel = "URL",
        description = "Where its API is, like http://127.0.0.1:11434/v1.")
    private String url = "";

    @Option(
        names = "--model",
        required = true,
        paramLabel = "NAME",
        description = "The provider's own name of the model.")
    private String model = "";

    @Option(
        names = "--api",
        paramLabel = "API",
        defaultValue = "openai-chat",
        description = "openai-chat (the default), openai-responses or anthropic-messages.")
    private String api = "";

    @Option(
        names = "--api-key-env",
        paramLabel = "NAME",
        defaultValue = "",
        description = "The variable of the environment that holds its key.")
    private String keyVariable = "";

    ObjectNode provider() {
      ObjectNode provider = JSON.createObjectNode();
      provider.put("id", ID).put("api", api).put("base-url", url);
      if (!keyVariable.isEmpty()) {
        provider.put("api-key-env", keyVariable);
      }
      provider.putObject("models").putObject(model);
      return provider;
    }
  }

  DemoCommand(
      Surroundings surroundings, ServerFactory servers, InstantSource clock, PrintWriter out) {
    this.surroundings = surroundings;
    this.servers = servers;
    this.clock = clock;
    this.out = out;
  }

  @Override
  public Integer call() throws IOException, StartException, InterruptedException {
    Path base = Files.createTempDirectory("harness-demo-").toRealPath();
    try {
      return show(base);
    } finally {
      Removal.of(base);
    }
  }

  private int show(Path base) throws IOException, StartException, InterruptedException {
    DemoWorkspace workspace = DemoWorkspace.create(base);
    Configuration configuration =
        new ConfigurationReader(new Surroundings(Map.of(), surroundings.directory()))
            .parse(configuration(workspace), "the demo", Map.of());
    try (Server server = servers.start(configuration);
        HttpClient client = HttpClient.newHttpClient()) {
      say("A Harness listens on " + server.uri() + "; its worktree is " + workspace.worktree());
      say("");
      boolean held = turn(client, server.uri(), workspace);
      say("");
      out.print(howTo(server.uri(), workspace));
      out.flush();
      if (serve) {
        say("\nIt stays up until you interrupt it.");
        server.awaitEnd();
      }
      return held ? Program.DONE : Program.FAILED;
    }
  }

  private String configuration(DemoWorkspace workspace) throws IOException {
    String scripted = ServerConfiguration.of(workspace.setup());
    if (real == null) {
      return scripted;
    }
    ObjectNode document = (ObjectNode) JSON.readTree(scripted);
    ((ArrayNode) document.withObject("harness").path("providers")).add(real.provider());
    return document.toString();
  }

  private boolean turn(HttpClient client, URI uri, DemoWorkspace workspace)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri.resolve("/turns"))
            .header("Content-Type", "application/json")
            .timeout(ADMISSION_AT_MOST)
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    admission(workspace.worktree().toString()).toString()))
            .build();
    HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() != OK) {
      say("The Turn was not admitted: " + response.statusCode() + " " + response.body());
      return false;
    }
    JsonNode admitted = JSON.readTree(response.body());
    JsonNode settlement =
        new TurnPrinter(AGENT, out, clock)
            .follow(
                client,
                admitted.path("streamUrl").asText(),
                admitted.path("offset").asText(),
                admitted.path("submissionId").asText(),
                real == null ? TURN_AT_MOST : REAL_TURN_AT_MOST);
    say("");
    say("What git says of the worktree:");
    say("");
    out.print(workspace.gitState().indent(2));
    say("");
    return verdict(settlement, workspace.faults());
  }

  private boolean verdict(JsonNode settlement, Set<String> faults) {
    String outcome = settlement.path("outcome").asText();
    if (!outcome.equals("completed")) {
      say("The Turn " + outcome + ": " + settlement.path("error").path("message").asText());
      return false;
    }
    if (real != null) {
      say("The Turn completed; what the model made of it is above.");
      return true;
    }
    if (!faults.isEmpty()) {
      say("Not as it should be: " + String.join("; ", faults));
      return false;
    }
    say("The Turn completed; each file is in the worktree, and nothing else was touched.");
    return true;
  }

  private ObjectNode admission(String cwd) {
    ObjectNode body = JSON.createObjectNode();
    body.put("run", "demo").put("path", "task").put("agent", AGENT);
    body.putObject("definition")
        .put(
            "model",
            real == null
                ? ScenarioRunner.PROVIDER + "/" + DemoWorkspace.MODEL
                : Real.ID + "/" + real.model)
        .put("instructions", "You are a careful coder.");
    body.put("prompt", DemoWorkspace.PROMPT);
    body.put("cwd", cwd);
    body.putObject("author").put("kind", "user").put("id", "you");
    return body;
  }

  private String howTo(URI uri, DemoWorkspace workspace) {
    return """
        The same with curl%s:

          curl -s %s/turns -H 'Content-Type: application/json' -d '%s'
          curl -sN -H 'Accept: text/event-stream' STREAM_URL     # the streamUrl of that answer

        With a real model behind the Chat Completions API (vLLM, Ollama, a gateway):
        `harness demo --provider http://127.0.0.1:11434/v1 --model qwen3`; or start
        `harness serve --config FILE` with this FILE, and let the definition name "lab/qwen3".

          harness:
            listen: 127.0.0.1:8080
            auth: none
            state: /an/empty/directory
            workspace: { root: /where/your/worktrees/are }
            providers:
              - { id: lab, api: openai-chat, base-url: "http://127.0.0.1:11434/v1", models: { qwen3: {} } }
        """
        .formatted(
            serve ? "" : "; `harness demo --serve` stays up for it and prints its URL and WORKTREE",
            serve ? uri : "URL",
            admission(serve ? workspace.worktree().toString() : "WORKTREE"));
  }

  private void say(String line) {
    out.println(line);
    out.flush();
  }
}
