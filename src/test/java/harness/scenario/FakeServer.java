package harness.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Knows one kind of Turn: it writes {@code note.txt} in its cwd and says so. A prompt of {@code
 * hang} never settles. After {@code GET /forget} what was read before reads otherwise.
 */
final class FakeServer implements Host {
  private static final long PARKED_MILLIS = 100;

  private final List<ObjectNode> events = new ArrayList<>();
  private final List<String> messages = new ArrayList<>();
  private boolean forgetful;
  private int kills;

  synchronized int kills() {
    return kills;
  }

  @Override
  public Running start(Setup setup) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    return new Running() {
      @Override
      public URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
      }

      @Override
      public void kill() {
        kills++;
        server.stop(0);
      }
    };
  }

  private synchronized void answer(HttpExchange exchange) throws IOException {
    URI uri = exchange.getRequestURI();
    forgetful |= uri.getPath().equals("/forget");
    if (uri.getPath().equals("/turns")) {
      admit(exchange, Wire.JSON.readTree(exchange.getRequestBody()));
    } else if (!uri.getPath().equals("/agents/coder/run/task/coder")) {
      send(exchange, 404, Wire.JSON.createObjectNode().put("error", "no " + uri.getPath()));
    } else if (uri.getQuery().equals("view=history")) {
      ObjectNode history = Wire.JSON.createObjectNode();
      ArrayNode list = history.putArray("messages");
      messages.forEach(
          text ->
              list.addObject()
                  .put("role", text.substring(0, text.indexOf(':')))
                  .put("text", text.substring(text.indexOf(':') + 2)));
      send(exchange, 200, history);
    } else {
      updates(exchange, uri.getQuery());
    }
  }

  private void admit(HttpExchange exchange, JsonNode body) throws IOException {
    String cwd = body.path("cwd").asText();
    if (!cwd.startsWith("/")) {
      send(
          exchange,
          400,
          Wire.JSON
              .createObjectNode()
              .put("error", "the Frame's cwd must be absolute, unlike '" + cwd + "'")
              .put("field", "cwd"));
      return;
    }
    String offset = "o" + events.size();
    String id = "s-" + events.size();
    run(id, cwd, body.path("prompt").asText());
    send(
        exchange,
        200,
        Wire.JSON
            .createObjectNode()
            .put("instanceId", "run/task/coder")
            .put("submissionId", id)
            .put("offset", offset)
            .put("epoch", 0)
            .put("new", true)
            .put(
                "streamUrl",
                "http:/" + exchange.getLocalAddress() + "/agents/coder/run%2Ftask%2Fcoder"));
  }

  private void run(String id, String cwd, String prompt) throws IOException {
    event("submission-admitted").put("submissionId", id);
    event("turn-started").put("submissionId", id).put("cwd", cwd);
    message("user", prompt);
    if (prompt.equals("hang")) {
      return;
    }
    event("tool-called").put("callId", "1").put("name", "write");
    Files.writeString(Path.of(cwd, "note.txt"), "a note\n");
    event("tool-returned").put("callId", "1").put("outcome", "ok");
    message("assistant", "It is written.");
    ObjectNode settled = event("submission-settled").put("submissionId", id);
    if (prompt.equals("fail")) {
      settled.put("outcome", "failed");
      settled.putObject("error").put("type", "submission_failed");
      settled.putObject("fault").put("class", "infra");
    } else {
      settled.put("outcome", "completed");
    }
  }

  private void message(String role, String text) {
    messages.add(role + ": " + text);
    ObjectNode message = event("message-appended").putObject("message");
    message.put("role", role).putArray("parts").addObject().put("type", "text").put("text", text);
  }

  private ObjectNode event(String type) {
    ObjectNode event = Wire.JSON.createObjectNode().put("type", type);
    events.add(event);
    return event;
  }

  private void updates(HttpExchange exchange, String query) throws IOException {
    int from = Integer.parseInt(query.replaceAll(".*offset=o([0-9]+).*", "$1"));
    exchange.getResponseHeaders().set("stream-next-offset", "o" + events.size());
    ArrayNode page = Wire.JSON.createArrayNode();
    events.subList(from, events.size()).forEach(page::add);
    if (forgetful) {
      page.remove(0);
    }
    if (page.isEmpty()) {
      await();
      exchange.sendResponseHeaders(204, -1);
      exchange.close();
    } else {
      send(exchange, 200, page);
    }
  }

  /** A long-poll that parks for a while, as the real one does. */
  private void await() throws IOException {
    try {
      wait(PARKED_MILLIS);
    } catch (InterruptedException ended) {
      throw new IOException("ended while parked", ended);
    }
  }

  private static void send(HttpExchange exchange, int status, JsonNode body) throws IOException {
    byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    try (exchange) {
      exchange.getResponseBody().write(bytes);
    }
  }
}
