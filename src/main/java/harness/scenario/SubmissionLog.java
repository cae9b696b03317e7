package harness.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** What one Submission shows on its conversation's stream, read as far as was asked for. */
final class SubmissionLog {
  private static final String SETTLED = "submission-settled";

  private final String path;
  private final String submissionId;
  private final String start;
  private final InstantSource clock;
  private final List<JsonNode> read = new ArrayList<>();
  private String next;

  /**
   * @param path the raw path of the conversation
   * @param start the offset that its admission answered
   */
  SubmissionLog(String path, String submissionId, String start, InstantSource clock) {
    this.path = path;
    this.submissionId = submissionId;
    this.start = start;
    this.next = start;
    this.clock = clock;
  }

  /** The raw path of the conversation. */
  String path() {
    return path;
  }

  /**
   * Reads on until an event of the Submission is the one.
   *
   * @return the event
   * @throws ScenarioFailure when the Submission settled without it, or time is up
   */
  JsonNode await(Wire wire, String what, Duration patience, Predicate<JsonNode> sought)
      throws ScenarioFailure, IOException, InterruptedException {
    Instant end = clock.instant().plus(patience);
    while (true) {
      List<JsonNode> events = events();
      Optional<JsonNode> found = events.stream().filter(sought).findFirst();
      if (found.isPresent()) {
        return found.get();
      }
      if (events.stream().anyMatch(SubmissionLog::settlement)) {
        throw ScenarioFailure.expected(
            what + " did not come before the Submission settled", what, shown(events));
      }
      Duration left = Duration.between(clock.instant(), end);
      if (!left.isPositive() || !readOn(wire, left)) {
        throw ScenarioFailure.expected(
            what + " did not come within " + patience.toMillis() + " ms", what, shown(events));
      }
    }
  }

  /** Waits for more; false when none came in time. */
  private boolean readOn(Wire wire, Duration within)
      throws ScenarioFailure, IOException, InterruptedException {
    try {
      Page page = page(wire, next, "&live=long-poll", within);
      read.addAll(page.events());
      next = page.next();
      return true;
    } catch (HttpTimeoutException late) {
      return false;
    }
  }

  JsonNode awaitSettlement(Wire wire, Duration patience)
      throws ScenarioFailure, IOException, InterruptedException {
    return await(wire, "the settlement", patience, SubmissionLog::settlement);
  }

  /** Reads all again from the start; returns what was read before and what reads now. */
  Reread reread(Wire wire, Duration patience)
      throws ScenarioFailure, IOException, InterruptedException {
    Page page = page(wire, start, "", patience);
    return new Reread(List.copyOf(read), page.events());
  }

  /** What was read before, and what reads now from the same offset. */
  record Reread(List<JsonNode> before, List<JsonNode> now) {
    boolean same() {
      return now.size() >= before.size() && now.subList(0, before.size()).equals(before);
    }
  }

  /**
   * The events of the Submission so far: those that name it, and those without a name while its
   * Turn was the running one.
   */
  List<JsonNode> events() {
    List<JsonNode> own = new ArrayList<>();
    boolean running = false;
    for (JsonNode event : read) {
      JsonNode named = event.path("submissionId");
      if (named.isTextual()) {
        boolean mine = named.textValue().equals(submissionId);
        if (event.path("type").asText().equals("turn-started")) {
          running = mine;
        } else if (settlement(event) && mine) {
          running = false;
        }
        if (mine) {
          own.add(event);
        }
      } else if (running) {
        own.add(event);
      }
    }
    return own;
  }

  private record Page(List<JsonNode> events, String next) {}

  private Page page(Wire wire, String from, String live, Duration within)
      throws ScenarioFailure, IOException, InterruptedException {
    String request = path + "?view=updates&offset=" + from + live;
    Wire.Answer answer = wire.get(request, within);
    String after = answer.header("stream-next-offset");
    boolean nothing = answer.status() == 204;
    if ((answer.status() != 200 && !nothing) || after.isEmpty()) {
      throw ScenarioFailure.expected(
          "GET " + request,
          "200 or 204 with the header stream-next-offset",
          answer.status() + " " + answer.body());
    }
    List<JsonNode> events = new ArrayList<>();
    answer.json().forEach(events::add);
    return new Page(events, after);
  }

  private static boolean settlement(JsonNode event) {
    return event.path("type").asText().equals(SETTLED);
  }

  private static List<String> shown(List<JsonNode> events) {
    return events.stream().map(event -> event.path("type").asText()).toList();
  }
}
