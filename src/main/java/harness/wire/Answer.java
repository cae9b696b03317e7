package harness.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What is answered.
 *
 * @param status the HTTP status
 * @param headers besides the content's type and length
 * @param body empty for none
 */
record Answer(int status, Map<String, String> headers, Optional<JsonNode> body) {
  private static final String CONNECTION = "Connection";
  private static final String CLOSE = "close";
  private static final String CONTENT_TYPE = "Content-Type";

  static Answer ok(JsonNode body) {
    return new Answer(200, Map.of(), Optional.of(body));
  }

  /** Text of another type than JSON. */
  static Answer text(String contentType, String text) {
    return new Answer(
        200,
        Map.of(CONTENT_TYPE, contentType),
        Optional.of(JsonNodeFactory.instance.textNode(text)));
  }

  static Answer error(int status, String message) {
    return new Answer(
        status, Map.of(), Optional.of(JsonNodeFactory.instance.objectNode().put("error", message)));
  }

  /** The same, and the connection is closed behind it. */
  Answer closing() {
    return with(CONNECTION, CLOSE);
  }

  /** Whether its body goes over the wire as JSON. */
  boolean isJson() {
    return !headers.containsKey(CONTENT_TYPE);
  }

  /** Its body as it goes over the wire; empty where it has none. */
  String written() {
    return body.map(node -> isJson() ? node.toString() : node.asText()).orElse("");
  }

  boolean closes() {
    return CLOSE.equals(headers.get(CONNECTION));
  }

  Answer with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Answer(status, more, body);
  }
}
