package harness;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** A caller of a Harness, over the wire. All Turns are those of the agent {@code coder}. */
final class Caller implements AutoCloseable {
  /** The longest that anything is waited for. */
  static final Duration PATIENCE = Duration.ofSeconds(60);

  static final ObjectMapper JSON = new ObjectMapper();

  private final URI base;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  Caller(URI base) {
    this.base = base;
  }

  /** An answer. */
  record Answer(int status, Map<String, List<String>> headers, String body) {
    String header(String name) {
      return headers.getOrDefault(name, List.of("")).getFirst();
    }

    JsonNode json() {
      return tree(body);
    }
  }

  /** The body of a Turn of {@code RUN/coder} that has a Working directory, the workspace root. */
  static String turn(String run, boolean continues, String model, String prompt) {
    ObjectNode body = JSON.createObjectNode();
    body.put("run", run).put("agent", "coder").put("continue", continues).put("prompt", prompt);
    body.putObject("definition").put("model", "lab/" + model).put("instructions", "Work.");
    return body.toString();
  }

  /** The body of a Turn on exactly the conversation that its path names. */
  static String submission(String model, String prompt) {
    ObjectNode body = JSON.createObjectNode().put("prompt", prompt);
    body.putObject("definition").put("model", "lab/" + model).put("instructions", "Work.");
    return body.toString();
  }

  /** Admits a Turn under an idempotency key. */
  Answer admit(String body, String key) throws IOException, InterruptedException {
    return post("/turns", body, key);
  }

  /** Posts; without a key where that is empty. */
  Answer post(String path, String body, String key) throws IOException, InterruptedException {
    HttpRequest.Builder request = request(path).POST(BodyPublishers.ofString(body));
    return send(key.isEmpty() ? request : request.header("Idempotency-Key", key));
  }

  /** Reads the events of a conversation from an offset on, or all of them where it is empty. */
  Answer updates(String instanceId, String offset) throws IOException, InterruptedException {
    return send(request(path(instanceId) + (offset.isEmpty() ? "" : "?offset=" + offset)));
  }

  /** The same, but where there are none it waits for one; 204 after a while without. */
  Answer longPoll(String instanceId, String offset) throws IOException, InterruptedException {
    return send(request(path(instanceId) + "?live=long-poll&offset=" + offset));
  }

  Answer get(String path) throws IOException, InterruptedException {
    return send(request(path));
  }

  /** All events of a conversation, as soon as they are as wanted. */
  List<JsonNode> until(String instanceId, Predicate<List<JsonNode>> wanted)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    Answer answer = updates(instanceId, "");
    List<JsonNode> events = new ArrayList<>();
    answer.json().forEach(events::add);
    while (!wanted.test(events)) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("what is wanted did not come to pass: " + events);
      }
      answer = longPoll(instanceId, answer.header("stream-next-offset"));
      answer.json().forEach(events::add);
    }
    return events;
  }

  /** Reads a conversation's stream until so many events came or it ends, and gives their ids. */
  Set<String> streamed(String instanceId, int events) throws IOException, InterruptedException {
    Set<String> ids = new LinkedHashSet<>();
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(stream(instanceId), StandardCharsets.UTF_8))) {
      while (ids.size() < events) {
        String line = lines.readLine();
        if (line == null) {
          break;
        }
        if (line.startsWith("id: ")) {
          ids.add(line.substring("id: ".length()));
        }
      }
    }
    return ids;
  }

  /** Opens a conversation's stream. */
  InputStream stream(String instanceId) throws IOException, InterruptedException {
    HttpRequest.Builder request = request(path(instanceId));
    return client
        .send(request.header("Accept", "text/event-stream").build(), BodyHandlers.ofInputStream())
        .body();
  }

  /** The same, from an offset on. */
  InputStream stream(String instanceId, String offset) throws IOException, InterruptedException {
    HttpRequest.Builder request = request(path(instanceId) + "?offset=" + offset);
    return client
        .send(request.header("Accept", "text/event-stream").build(), BodyHandlers.ofInputStream())
        .body();
  }

  /** Opens an answer that may be larger than what memory holds. */
  InputStream open(String path) throws IOException, InterruptedException {
    return client.send(request(path).build(), BodyHandlers.ofInputStream()).body();
  }

  static String path(String instanceId) {
    return "/agents/coder/" + URLEncoder.encode(instanceId, StandardCharsets.UTF_8);
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(base + path)).timeout(PATIENCE);
  }

  private Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
    return new Answer(response.statusCode(), response.headers().map(), response.body());
  }

  private static JsonNode tree(String body) {
    try {
      return JSON.readTree(body);
    } catch (JsonProcessingException e) {
      throw new AssertionError("no JSON: " + body, e);
    }
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
