package harness.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** A Turn's events as people read them, a line each. */
final class Steps implements Consumer<JsonNode> {
  private static final String LINE = "%-6s  %-10s  %-30s  %s";
  private static final int MAX_CHARS = 160;

  private final String agent;
  private final Consumer<String> lines;
  private final Map<String, JsonNode> calls = new HashMap<>();

  /**
   * @param agent the name of the Agent whose Turn it is
   */
  Steps(String agent, Consumer<String> lines) {
    this.agent = agent;
    this.lines = lines;
  }

  @Override
  public void accept(JsonNode event) {
    switch (event.path("type").asText()) {
      case "turn-started" -> print(agent, "starts", "in " + event.path("cwd").asText(), "");
      case "turn-resumed" -> print(agent, "goes on", "", "");
      case "message-appended" -> message(event);
      case "tool-called" -> calls.put(event.path("callId").asText(), event);
      case "tool-returned" -> returned(event);
      case "picked" ->
          print(agent, "picks", event.path("name").asText(), event.path("input").toString());
      case "nudged" -> print(agent, "is asked", "for the pick that it owes", "");
      case "rerolled" -> print(agent, "begins", "anew: " + event.path("reason").asText(), "");
      case "compacted" -> print(agent, "compacts", "its older messages", "");
      case "awaiting-answer" -> print(agent, "awaits", event.path("tool").asText(), "an answer");
      default -> {}
    }
  }

  private void message(JsonNode event) {
    StringBuilder text = new StringBuilder();
    event.path("message").path("parts").forEach(part -> text.append(part.path("text").asText()));
    boolean asked = event.path("message").path("role").asText().equals("user");
    String author = event.path("author").path("id").asText("caller");
    print(asked ? author : agent, asked ? "asks" : "says", text.toString(), "");
  }

  private void returned(JsonNode event) {
    JsonNode call = calls.getOrDefault(event.path("callId").asText(), event);
    String result =
        event.path("outcome").asText().equals("ok")
            ? "ok, " + event.path("bytes").asLong() + " bytes in " + event.path("ms") + " ms"
            : "refused: the model was told why in " + event.path("bytes").asLong() + " bytes";
    print(agent, call.path("name").asText(), call.path("input").path("path").asText(), result);
  }

  private void print(String who, String tool, String path, String result) {
    lines.accept(
        LINE.formatted(plain(who), plain(tool), plain(path), plain(result)).stripTrailing());
  }

  /** On one line and without what a terminal would obey. */
  static String line(String text) {
    return text.strip().replaceAll("[\\p{Cntrl}\\p{Cf}]+", " ");
  }

  /** The same, as much of it as a line shows. */
  static String plain(String text) {
    String line = line(text);
    return line.length() <= MAX_CHARS ? line : line.substring(0, MAX_CHARS) + "...";
  }
}
