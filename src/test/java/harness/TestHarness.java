package harness;

import com.fasterxml.jackson.databind.JsonNode;
import harness.cli.Configuration;
import harness.cli.Server;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A Harness of a test's own, on a free port, and the way to talk to it. Its state and its workspace
 * are in a directory of the test; its models follow {@link TestScript}.
 */
public final class TestHarness implements AutoCloseable {
  /** How long a test waits for something that is to come. */
  public static final Duration PATIENCE = Duration.ofSeconds(60);

  /** How a server is started over a configuration. */
  @FunctionalInterface
  public interface Starter {
    Server start(Configuration configuration) throws Exception;
  }

  private final Path directory;
  private final Configuration configuration;
  private final Starter starter;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private Server server;

  TestHarness(Path directory, Configuration configuration, Starter starter) throws Exception {
    this.directory = directory;
    this.configuration = configuration;
    this.starter = starter;
    this.server = starter.start(configuration);
  }

  /** The real program, put together by {@link Wiring}, with the usual settings. */
  public static TestHarness start(Path directory) throws Exception {
    return TestSettings.in(directory).start();
  }

  public URI uri() {
    return server.uri();
  }

  /** The workspace root. */
  public Path root() {
    return directory.resolve("work");
  }

  public Path state() {
    return configuration.state();
  }

  /** Lets the Turns go on that wait for this gate; see {@link TestScript}. */
  public void open(String gate) throws IOException {
    Files.createFile(directory.resolve(gate));
  }

  /** Ends it as a crash does and starts it over the same state. */
  public void restart() throws Exception {
    server.close();
    server = starter.start(configuration);
  }

  /** Begins to drain; the answer completes when the Harness has ended. */
  public CompletableFuture<Void> drain(Duration atMost) {
    RunningHarness running = (RunningHarness) server;
    return CompletableFuture.runAsync(
        () -> {
          try {
            running.drain(atMost);
            running.awaitEnd();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        },
        task -> Thread.ofVirtual().start(task));
  }

  public Reply get(String target, String... headers) {
    return send("GET", target, "", headers);
  }

  public Reply post(String target, JsonNode body, String... headers) {
    return send("POST", target, body.toString(), headers);
  }

  /**
   * Sends a request and waits for its whole answer.
   *
   * @param target the raw path and query, as they go over the wire
   * @param headers names and values in turn
   */
  public Reply send(String method, String target, String body, String... headers) {
    try {
      return Reply.of(client.send(request(method, target, body, headers), BodyHandlers.ofString()));
    } catch (IOException e) {
      throw new IllegalStateException(method + " " + target + " was not answered", e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(method + " " + target + " took too long", e);
    }
  }

  /** The same without waiting. */
  public CompletableFuture<Reply> sendAsync(
      String method, String target, String body, String... headers) {
    return client
        .sendAsync(request(method, target, body, headers), BodyHandlers.ofString())
        .thenApply(Reply::of);
  }

  private HttpRequest request(String method, String target, String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(uri() + target))
            .timeout(PATIENCE)
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return request.build();
  }

  /** A connection for what no HTTP client would send. */
  public RawConnection connect() throws IOException {
    return new RawConnection(uri());
  }

  /** A stream of server-sent events. */
  public StreamReader stream(String target, String... headers) throws Exception {
    List<String> all = new ArrayList<>(List.of(headers));
    all.addAll(List.of("Accept", "text/event-stream"));
    return new StreamReader(
        client.send(
            request("GET", target, "", all.toArray(String[]::new)), BodyHandlers.ofInputStream()));
  }

  /** All durable events of a conversation so far. */
  public List<JsonNode> events(String conversation) {
    return get(conversation).ok().elements();
  }

  /**
   * Waits for an event.
   *
   * @param conversation the raw path of the conversation
   * @param field a field of the event
   */
  public JsonNode await(String conversation, String type, String field, String value) {
    String offset = "";
    while (true) {
      Reply page = get(conversation + "?live=long-poll" + offset);
      Optional<JsonNode> found =
          page.elements().stream()
              .filter(event -> event.path("type").asText().equals(type))
              .filter(event -> event.path(field).asText().equals(value))
              .findFirst();
      if (found.isPresent()) {
        return found.get();
      }
      if (page.status() == 204) {
        throw new AssertionError(
            "no " + type + " with " + field + " " + value + " came to " + conversation);
      }
      offset = "&offset=" + page.ok().header("stream-next-offset");
    }
  }

  /** Waits for the Settlement of what an admission answered. */
  public JsonNode awaitSettled(Reply admission) {
    return await(
        admission.conversation(),
        "submission-settled",
        "submissionId",
        admission.text("submissionId"));
  }

  /** Waits until the Turn of what an admission answered runs. */
  public void awaitStarted(Reply admission) {
    await(admission.conversation(), "turn-started", "submissionId", admission.text("submissionId"));
  }

  @Override
  public void close() {
    server.close();
    client.shutdownNow();
  }
}
