package harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/** What clients were told, kept over the lives of the processes that told it. */
final class Ledger {
  /** A request, by its key. */
  private record Sent(String key, String body) {}

  /** What an offset read. */
  private record Page(String instanceId, String offset, String body) {}

  private final Map<String, Sent> unanswered = new ConcurrentHashMap<>();
  private final Map<Sent, JsonNode> acknowledged = new ConcurrentHashMap<>();
  private final Queue<Page> pages = new ConcurrentLinkedQueue<>();

  int acknowledgements() {
    return acknowledged.size();
  }

  /** Sends an admission, for the first time or again. */
  JsonNode admit(Caller caller, String key, String body) throws IOException, InterruptedException {
    Sent sent = new Sent(key, body);
    unanswered.put(key, sent);
    Caller.Answer answer = caller.admit(body, key);
    assertEquals(200, answer.status(), answer::body);
    acknowledged.put(sent, answer.json());
    unanswered.remove(key);
    return answer.json();
  }

  /** Reads a page and notes it. */
  Caller.Answer read(Caller caller, String instanceId, String offset)
      throws IOException, InterruptedException {
    Caller.Answer answer = caller.longPoll(instanceId, offset);
    if (answer.status() == 200) {
      pages.add(new Page(instanceId, offset, answer.body()));
    }
    return answer;
  }

  /** What no answer was heard to is sent again. */
  void sendUnansweredAgain(Caller caller) throws IOException, InterruptedException {
    for (Sent sent : List.copyOf(unanswered.values())) {
      JsonNode _ = admit(caller, sent.key, sent.body);
    }
  }

  /** The same answers to the same requests, and the same events from the same offsets. */
  void assertRemembered(Caller caller) throws IOException, InterruptedException {
    for (Map.Entry<Sent, JsonNode> one : acknowledged.entrySet()) {
      Caller.Answer again = caller.admit(one.getKey().body, one.getKey().key);
      assertEquals("true", again.header("idempotent-replayed"), again::body);
      for (String field : List.of("instanceId", "submissionId", "offset", "ahead", "new")) {
        assertEquals(one.getValue().get(field), again.json().get(field), one.getKey().key);
      }
    }
    for (Page page : pages) {
      String now = caller.updates(page.instanceId, page.offset).body();
      Told.assertGrown(page.body, now, page.instanceId + " from " + page.offset);
    }
  }

  /**
   * Waits until all is settled: each acknowledged Submission once, and none besides.
   *
   * @param kills how many processes were killed
   * @return how many Submissions had each outcome
   */
  Map<String, Integer> assertSettled(Caller caller, int kills)
      throws IOException, InterruptedException {
    assertEquals(Map.of(), unanswered);
    Map<String, Integer> outcomes = new TreeMap<>();
    for (Map.Entry<String, Set<String>> one : byConversation().entrySet()) {
      int expected = one.getValue().size();
      List<JsonNode> events = caller.until(one.getKey(), Told.has("submission-settled", expected));
      List<String> admitted = Told.ids(events, "submission-admitted");
      assertEquals(one.getValue(), Set.copyOf(admitted), one.getKey());
      assertEquals(expected, admitted.size(), () -> "doubled: " + admitted);
      assertEquals(admitted, Told.ids(events, "submission-settled"), one.getKey());
      assertEquals(admitted, Told.ids(events, "turn-started"), one.getKey());
      assertEquals(admitted, prompts(events), one.getKey());
      assertCallsAreAnswered(events);
      assertOnlyKillsFail(events, kills);
      Told.outcomes(events).forEach(outcome -> outcomes.merge(outcome, 1, Integer::sum));
    }
    return outcomes;
  }

  private Map<String, Set<String>> byConversation() {
    return acknowledged.values().stream()
        .collect(
            Collectors.groupingBy(
                answer -> answer.path("instanceId").asText(),
                Collectors.mapping(
                    answer -> answer.path("submissionId").asText(), Collectors.toSet())));
  }

  private static List<String> prompts(List<JsonNode> events) {
    return Told.of(events, "message-appended").stream()
        .filter(event -> event.at("/message/role").asText().equals("user"))
        .map(event -> event.path("submissionId").asText())
        .toList();
  }

  /** Each call has one result, before its Turn is settled: else no model would take the next. */
  private static void assertCallsAreAnswered(List<JsonNode> events) {
    Set<String> open = new HashSet<>();
    for (JsonNode event : events) {
      String callId = event.path("callId").asText();
      switch (event.path("type").asText()) {
        case "tool-called" -> assertTrue(open.add(callId), callId);
        case "tool-returned" -> assertTrue(open.remove(callId), callId);
        case "submission-settled" -> assertEquals(Set.of(), open, () -> "" + events);
        default -> {}
      }
    }
  }

  private static void assertOnlyKillsFail(List<JsonNode> events, int kills) {
    List<JsonNode> failed =
        Told.of(events, "submission-settled").stream()
            .filter(event -> !event.path("outcome").asText().equals("completed"))
            .toList();
    assertTrue(failed.size() <= kills, () -> "more than one for each kill: " + failed);
    failed.forEach(
        event -> assertEquals("turn-lost", event.at("/fault/class").asText(), event::toString));
  }
}
