package harness.model.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;

/** The arguments of a call, which come as pieces of JSON. */
final class CallArguments {
  private final StringBuilder text = new StringBuilder();

  void add(String piece) {
    text.append(piece);
  }

  /** Whether they are no whole JSON object: the end of one that the length limit cut. */
  boolean halfWritten() {
    return text.isEmpty() || !input().isObject();
  }

  /** An empty object where there are none, a text where they are no JSON. */
  JsonNode input() {
    String whole = Speech.wellFormed(text.toString());
    try {
      JsonNode tree = ModelJson.MAPPER.readTree(whole.isBlank() ? "{}" : whole);
      // An escaped half of a surrogate pair only shows once it was read.
      String written = tree.toString();
      String clean = Speech.wellFormed(written);
      JsonNode input = clean.equals(written) ? tree : ModelJson.MAPPER.readTree(clean);
      return input.isNull() ? ModelJson.MAPPER.createObjectNode() : input;
    } catch (JsonProcessingException _) {
      return TextNode.valueOf(whole);
    }
  }
}
