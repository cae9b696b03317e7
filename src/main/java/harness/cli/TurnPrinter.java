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
import java.util.Iterator;
import java.util.Optional;
import java.util.stream.Stream;

/** Prints the events of one Submission as they come in, a line each. */
final class TurnPrinter {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String DATA = "data: ";

  private final Steps steps;
  private final InstantSource clock;

  /**
   * @param agent the name of the Agent whose Turn it is
   */
  TurnPrinter(String agent, PrintWriter out, InstantSource clock) {
    this.steps =
        new Steps(
            agent,
            line -> {
              out.println(line);
              out.flush();
            });
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
    if (event.has("status") && event.has("error")) {
      throw new IOException("the stream ended: " + event.path("error").asText());
    }
    steps.accept(event);
    boolean settled =
        event.path("type").asText().equals("submission-settled")
            && event.path("submissionId").asText().equals(submissionId);
    return settled ? Optional.of(event) : Optional.empty();
  }
}
