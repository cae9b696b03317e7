package harness.log;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import harness.agent.Instance;
import java.time.Instant;

/**
 * One line of the log.
 *
 * @param kind a word for what happened
 * @param text anything that was said; may have many lines
 */
record Line(Instant at, Instance instance, String kind, String text) {
  /** The most characters that are shown of a text. */
  static final int MAX_CHARS = 2_000;

  private static final JsonMapper JSON = new JsonMapper();

  /** As people read it: on one line, and with nothing in it that moves a terminal. */
  String text(LogFormat format) {
    return switch (format) {
      case OFF -> "";
      case TEXT ->
          "[%s] [%s] [%s] %s".formatted(instance.agent(), instance.id(), kind, plain(cut()));
      case JSON -> json();
    };
  }

  private String cut() {
    return text.length() <= MAX_CHARS
        ? text
        : text.substring(0, MAX_CHARS) + "... " + (text.length() - MAX_CHARS) + " more";
  }

  private static String plain(String text) {
    StringBuilder plain = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              switch (Character.getType(c)) {
                case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE ->
                    plain.append(
                        switch (c) {
                          case '\n' -> "\\n";
                          case '\t' -> "\\t";
                          default -> String.format("\\u%04x", c);
                        });
                default -> plain.appendCodePoint(c);
              }
            });
    return plain.toString();
  }

  private String json() {
    try {
      return JSON.writeValueAsString(
          JsonNodeFactory.instance
              .objectNode()
              .put("at", at.toString())
              .put("agent", instance.agent())
              .put("instance", instance.id().value())
              .put("kind", kind)
              .put("text", cut()));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a line of texts is always JSON", e);
    }
  }
}
