package harness;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.StreamSupport;

/**
 * What a Harness answered.
 *
 * @param headers by lower-case name
 */
public record Reply(int status, Map<String, String> headers, String body) {
  private static final ObjectMapper JSON = new ObjectMapper();

  static Reply of(HttpResponse<String> response) {
    Map<String, String> headers = new TreeMap<>();
    response
        .headers()
        .map()
        .forEach((name, values) -> headers.put(name, String.join(", ", values)));
    return new Reply(response.statusCode(), headers, response.body());
  }

  /** Itself, if it is 200. */
  public Reply ok() {
    if (status != 200) {
      throw new AssertionError("expected 200, got " + this);
    }
    return this;
  }

  public JsonNode json() {
    try {
      return JSON.readTree(body);
    } catch (JsonProcessingException e) {
      throw new AssertionError("no JSON: " + this, e);
    }
  }

  /** The elements of an array; none where there is no body. */
  public List<JsonNode> elements() {
    return body.isEmpty() ? List.of() : StreamSupport.stream(json().spliterator(), false).toList();
  }

  /** The sentence of a refusal. */
  public String error() {
    JsonNode error = json().path("error");
    if (!error.isTextual() || error.textValue().isBlank()) {
      throw new AssertionError("no 'error' in " + this);
    }
    return error.textValue();
  }

  /** The field that a refusal names. */
  public String field() {
    return json().path("field").asText("(none)");
  }

  public String text(String name) {
    return json().path(name).asText();
  }

  /** The raw path of the conversation that an admission landed on. */
  public String conversation() {
    return URI.create(ok().text("streamUrl")).getRawPath();
  }

  public String header(String name) {
    return Optional.ofNullable(headers.get(name))
        .orElseThrow(() -> new AssertionError("no header " + name + " in " + this));
  }

  public boolean hasHeader(String name) {
    return headers.containsKey(name);
  }
}
