package harness.client;

import com.fasterxml.jackson.databind.JsonNode;
import harness.api.SettlementBody;
import harness.api.SettlementBody.ErrorBody;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The events of a conversation from an admission's offset on: the first one is that admission. */
final class Reading {
  /** By Submission what the Agent said last in its Turn. */
  private final Map<String, String> said = new HashMap<>();

  private Optional<String> awaited = Optional.empty();

  /** The outcome of the awaited Submission, where the event is its Settlement. */
  Optional<Outcome> end(JsonNode event) {
    String submission = event.path("submissionId").asText();
    if (awaited.isEmpty() && !submission.isEmpty()) {
      awaited = Optional.of(submission);
    }
    return switch (event.path("type").asText()) {
      case "message-appended" -> {
        if (event.path("message").path("role").asText().equals("assistant")) {
          said.put(submission, text(event));
        }
        yield Optional.empty();
      }
      case "submission-settled" ->
          awaited.equals(Optional.of(submission))
              ? Optional.of(outcome(Json.convert(event, SettlementBody.class)))
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  private Outcome outcome(SettlementBody settlement) {
    return switch (settlement.outcome()) {
      case "completed" ->
          new Outcome.Completed(
              said.getOrDefault(settlement.joined().orElse(settlement.submissionId()), ""),
              settlement.pick());
      case "aborted" -> new Outcome.Aborted();
      default ->
          new Outcome.Failed(
              settlement.error().orElse(new ErrorBody("", "it says no reason")),
              settlement.fault());
    };
  }

  private static String text(JsonNode event) {
    StringBuilder text = new StringBuilder();
    event.path("message").path("parts").forEach(part -> text.append(part.path("text").asText()));
    return text.toString();
  }
}
