package harness.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Prints the events of one Submission as they come in, a line each. */
final class TurnPrinter {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String LINE = "%-6s  %-10s  %-30s  %s";
  private static final String DATA = "data: ";

  private final String agent;
  private final PrintWriter out;
  private final InstantSource clock;
  private final Map<String, JsonNode> calls = new HashMap<>();

  /**
   * @param agent the name of the Agent whose Turn it is
   */
  TurnPrinter(String agent, PrintWriter out, InstantSource clock) {
    this.agent = agent;
    this.out = out;
    this.clock = clock;
  }

  /**
   * Follows a conversation's stream until the Submission settled.
   *
   * @return its settlement
   * @throws IOException when the stream ended before, or time is up
   */
  JsonNode follow(
      HttpClient client, String streamUrl, String offset, String submissionId, Duration atMost)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(streamUrl + "?offset=" + offset))
            .header("Accept", "text/event-stream")
            .timeout(atMost)
            .build();
    HttpResponse<Stream<String>> response =
        client.send(request, HttpResponse.BodyHandlers.ofLines());
    Instant end = clock.instant().plus(atMost);
    try (Stream<String> lines = response.body()) {
      Iterator<String> each = lines.iterator();
      while (each.hasNext() && clock.instant().isBefore(end)) {
        Optional<JsonNode> settlement = line(each.next(), submissionId);
        if (settlement.isPresent()) {
          return settlement.get();
        }
      }
    }
    throw new IOException(
        "the stream " + streamUrl + " (" + response.statusCode() + ") ended before the Turn did");
  }

  private Optional<JsonNode> line(String line, String submissionId) throws IOException {
    if (!line.startsWith(DATA)) {
      return Optional.empty();
    }
    JsonNode event = JSON.readTree(line.substring(DATA.length()));
    switch (event.path("type").asText()) {
      case "turn-started" -> print(agent, "starts", "in " + event.path("cwd").asText(), "");
      case "message-appended" -> message(event);
      case "tool-called" -> calls.put(event.path("callId").asText(), event);
      case "tool-returned" -> returned(event);
      case "submission-settled" -> {
        if (event.path("submissionId").asText().equals(submissionId)) {
          return Optional.of(event);
        }
      }
      default -> {}
    }
    return Optional.empty();
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
    out.println(LINE.formatted(who, tool, path, result).stripTrailing());
    out.flush();
  }
}
