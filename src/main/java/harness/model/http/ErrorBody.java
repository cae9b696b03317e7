package harness.model.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * What a server says of a failure, whichever of the usual shapes it has: {@code {"error":
 * {"message", "code", "type"}}}, {@code {"error": "..."}}, {@code {"message"}}, {@code {"detail"}},
 * or plain text.
 *
 * @param message its words
 * @param code its code, or its type where it has none, in lower case; a number stays one
 */
record ErrorBody(String message, String code) {
  /** How servers put it that a prompt is too long, where they have no code for it. */
  private static final List<String> TOO_LONG =
      List.of(
          "context_length",
          "context length",
          "context window",
          "context size",
          "maximum context",
          "exceed_context_size",
          "prompt is too long",
          "input is too long",
          "input length exceeds");

  static ErrorBody of(String body) {
    try {
      JsonNode tree = ModelJson.MAPPER.readTree(body);
      return tree != null && tree.isObject() ? of(tree) : new ErrorBody(body, "");
    } catch (JsonProcessingException _) {
      return new ErrorBody(body, "");
    }
  }

  /**
   * @param tree the whole object, with its {@code error} in it
   */
  static ErrorBody of(JsonNode tree) {
    JsonNode error = tree.path("error");
    if (error.isTextual()) {
      return new ErrorBody(error.textValue(), "");
    }
    JsonNode says = error.isObject() ? error : tree;
    String message = firstText(says.path("message"), says.path("detail"), says.path("error_msg"));
    String code = firstText(says.path("code"), says.path("type"));
    return new ErrorBody(
        message.isEmpty() ? tree.toString() : message, code.toLowerCase(Locale.ROOT));
  }

  boolean saysTooLong() {
    String words = (code + " " + message).toLowerCase(Locale.ROOT);
    return TOO_LONG.stream().anyMatch(words::contains);
  }

  boolean saysContentRefused() {
    return code.contains("content_filter")
        || code.contains("content_policy")
        || message.toLowerCase(Locale.ROOT).contains("content filtering policy");
  }

  /** Nothing is left to pay with: waiting does not help. */
  boolean saysQuotaSpent() {
    return code.contains("insufficient_quota") || code.contains("billing");
  }

  /** The HTTP status that the code is, where it is one. */
  OptionalInt status() {
    return code.matches("[45]\\d\\d")
        ? OptionalInt.of(Integer.parseInt(code))
        : OptionalInt.empty();
  }

  private static String firstText(JsonNode... nodes) {
    for (JsonNode node : nodes) {
      if (node.isValueNode() && !node.isNull() && !node.asText().isBlank()) {
        return node.asText();
      }
    }
    return "";
  }
}
