package harness.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/** A filesystem server of the Model Context Protocol, spoken to over its standard streams. */
final class McpServer implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Process process;
  private final OutputStream to;
  private final InputStream from;
  private int last;

  private McpServer(Process process) {
    this.process = process;
    this.to = process.getOutputStream();
    this.from = new BufferedInputStream(process.getInputStream(), 64 * 1024);
  }

  /**
   * Starts the one that npm put into a directory.
   *
   * @param root what it may read and write
   */
  static McpServer start(Path npm, Path root) throws IOException {
    Path program =
        npm.resolve("node_modules/@modelcontextprotocol/server-filesystem/dist/index.js");
    McpServer server =
        new McpServer(
            new ProcessBuilder("node", program.toString(), root.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
    ObjectNode hello = JSON.createObjectNode().put("protocolVersion", "2025-06-18");
    hello.putObject("capabilities");
    hello.putObject("clientInfo").put("name", "benchmark").put("version", "1");
    JsonNode _ = server.ask("initialize", hello);
    ObjectNode ready = JSON.createObjectNode().put("jsonrpc", "2.0");
    server.send(ready.put("method", "notifications/initialized"));
    return server;
  }

  /** Calls a tool; the text of its result. */
  String call(String tool, Map<String, ?> arguments) throws IOException {
    ObjectNode params = JSON.createObjectNode().put("name", tool);
    params.set("arguments", JSON.valueToTree(arguments));
    JsonNode result = ask("tools/call", params);
    String text = result.at("/content/0/text").asText();
    if (result.path("isError").asBoolean()) {
      throw new IOException(text);
    }
    return text;
  }

  private JsonNode ask(String method, JsonNode params) throws IOException {
    int id = ++last;
    ObjectNode request = JSON.createObjectNode().put("jsonrpc", "2.0");
    request.put("id", id).put("method", method).set("params", params);
    send(request);
    while (true) {
      JsonNode message = JSON.readTree(line());
      if (message.path("id").asInt() == id && message.has("result")) {
        return message.path("result");
      }
      if (message.has("error")) {
        throw new IOException(message.toString());
      }
    }
  }

  private void send(JsonNode message) throws IOException {
    to.write((message + "\n").getBytes(StandardCharsets.UTF_8));
    to.flush();
  }

  private byte[] line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int one = from.read(); one != '\n'; one = from.read()) {
      if (one < 0) {
        throw new EOFException("the server ended");
      }
      line.write(one);
    }
    return line.toByteArray();
  }

  @Override
  public void close() {
    process.destroy();
  }
}
