package harness.scenario;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A server, by its wire. */
final class Wire {
  static final JsonMapper JSON = new JsonMapper();

  /** A long-poll answers within 25 s; what takes much longer is a server that hangs. */
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(60);

  private final HttpClient client;
  private final URI base;
  private final Optional<String> token;

  Wire(HttpClient client, URI base, Optional<String> token) {
    this.client = client;
    this.base = base;
    this.token = token;
  }

  /** An answer; {@code json} is missing where the body is none. */
  record Answer(int status, java.net.http.HttpHeaders headers, String body, JsonNode json) {
    String header(String name) {
      return headers.firstValue(name).orElse("");
    }
  }

  /**
   * Sends one request.
   *
   * @param path the raw path with its query
   * @throws IOException when no answer came
   */
  Answer send(String method, String path, Map<String, String> headers, Optional<String> body)
      throws IOException, InterruptedException {
    return send(method, path, headers, body, ANSWER_WITHIN);
  }

  /**
   * Sends a GET.
   *
   * @throws java.net.http.HttpTimeoutException when no answer came within a time
   */
  Answer get(String path, Duration within) throws IOException, InterruptedException {
    return send("GET", path, Map.of(), Optional.empty(), within);
  }

  private Answer send(
      String method,
      String path,
      Map<String, String> headers,
      Optional<String> body,
      Duration within)
      throws IOException, InterruptedException {
    BodyPublisher content =
        body.map(text -> BodyPublishers.ofString(text, StandardCharsets.UTF_8))
            .orElseGet(BodyPublishers::noBody);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path)).timeout(within).method(method, content);
    body.ifPresent(text -> request.setHeader("Content-Type", "application/json"));
    token.ifPresent(secret -> request.setHeader("Authorization", "Bearer " + secret));
    headers.forEach(request::setHeader);
    HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
    return new Answer(
        response.statusCode(), response.headers(), response.body(), json(response.body()));
  }

  private URI uri(String path) throws IOException {
    try {
      return new URI(base + path);
    } catch (URISyntaxException none) {
      throw new IOException("the path " + path + " must be percent-encoded", none);
    }
  }

  private static JsonNode json(String body) {
    try {
      JsonNode tree = JSON.readTree(body);
      return tree == null ? MissingNode.getInstance() : tree;
    } catch (JsonProcessingException none) {
      return MissingNode.getInstance();
    }
  }
}
