package harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;

/** The coding agent pi, spoken to over its standard streams, on a model server of ours. */
final class PiPeer implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Process process;
  private final Writer to;
  private final BufferedReader from;
  private int last;

  private PiPeer(Process process) {
    this.process = process;
    this.to = process.outputWriter();
    this.from = process.inputReader();
  }

  /**
   * Starts the one that npm put into a directory.
   *
   * @param home what it keeps its sessions in
   */
  static PiPeer start(Path npm, Path home, Path work, URI model) throws IOException {
    ObjectNode models = JSON.createObjectNode();
    ObjectNode provider = models.putObject("providers").putObject("lab");
    provider.put("baseUrl", model + "/v1").put("api", "openai-completions").put("apiKey", "x");
    provider
        .putArray("models")
        .addObject()
        .put("id", "m")
        .put("contextWindow", 200_000)
        .put("maxTokens", 8_192);
    Path agent = Files.createDirectories(home.resolve("agent"));
    Files.writeString(agent.resolve("models.json"), models.toString());
    ProcessBuilder builder =
        new ProcessBuilder(
            npm.resolve("node_modules/.bin/pi").toString(),
            "--mode",
            "rpc",
            "--provider",
            "lab",
            "--model",
            "m");
    builder.environment().put("HOME", home.toString());
    builder.environment().put("PI_CODING_AGENT_DIR", agent.toString());
    builder.environment().put("PI_OFFLINE", "1");
    builder.environment().put("PI_TELEMETRY", "0");
    return new PiPeer(
        builder.directory(work.toFile()).redirectError(ProcessBuilder.Redirect.DISCARD).start());
  }

  /** Begins a conversation anew. */
  void begin() throws IOException {
    String id = send("new_session", "");
    JsonNode _ =
        await(
            message ->
                message.path("type").asText().equals("response")
                    && message.path("id").asText().equals(id));
  }

  /** Runs a Turn; the last words of it. */
  String turn(String prompt) throws IOException {
    String _ = send("prompt", prompt);
    JsonNode end = await(message -> message.path("type").asText().equals("agent_end"));
    JsonNode messages = end.path("messages");
    JsonNode parts = messages.path(messages.size() - 1).path("content");
    return parts.path(parts.size() - 1).path("text").asText();
  }

  private String send(String type, String message) throws IOException {
    String id = String.valueOf(++last);
    ObjectNode command = JSON.createObjectNode().put("id", id).put("type", type);
    if (!message.isEmpty()) {
      command.put("message", message);
    }
    to.write(command + "\n");
    to.flush();
    return id;
  }

  private JsonNode await(Predicate<JsonNode> wanted) throws IOException {
    for (String line = from.readLine(); line != null; line = from.readLine()) {
      JsonNode message = JSON.readTree(line);
      if (wanted.test(message)) {
        return message;
      }
    }
    throw new IOException("pi has ended");
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
