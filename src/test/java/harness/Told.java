package harness;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.function.Predicate;

/** What a conversation's events tell. */
final class Told {
  private Told() {}

  static List<JsonNode> of(List<JsonNode> events, String type) {
    return events.stream().filter(event -> event.path("type").asText().equals(type)).toList();
  }

  static Predicate<List<JsonNode>> has(String type, int times) {
    return events -> of(events, type).size() >= times;
  }

  static List<String> ids(List<JsonNode> events, String type) {
    return of(events, type).stream().map(event -> event.path("submissionId").asText()).toList();
  }

  static List<String> outcomes(List<JsonNode> events) {
    return of(events, "submission-settled").stream()
        .map(event -> event.path("outcome").asText())
        .toList();
  }

  /** What the agent said, one text for each message. */
  static List<String> said(List<JsonNode> events) {
    return of(events, "message-appended").stream()
        .filter(event -> event.at("/message/role").asText().equals("assistant"))
        .map(event -> event.at("/message/parts/0/text").asText())
        .toList();
  }

  /** Both are the JSON of pages from one offset; the later one may only be longer. */
  static void assertGrown(String before, String after, String what) {
    String start = before.substring(0, before.length() - 1);
    assertTrue(
        after.startsWith(start)
            && (start.equals("[") || ",]".indexOf(after.charAt(start.length())) >= 0),
        () -> what + " was\n" + before + "\nand is now\n" + after);
  }
}
