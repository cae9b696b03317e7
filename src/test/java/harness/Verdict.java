package harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Reads all conversations of a {@link Ledger} once nothing is unsettled, and compares them with
 * what clients were told.
 */
final class Verdict {
  private final Caller caller;
  private final Ledger ledger;
  private final int kills;
  private final Map<String, Integer> outcomes = new TreeMap<>();
  private final List<String> lost = new ArrayList<>();
  private final List<String> doubled = new ArrayList<>();
  private final Map<String, JsonNode> faults = new HashMap<>();
  private int admissions;

  private Verdict(Caller caller, Ledger ledger, int kills) {
    this.caller = caller;
    this.ledger = ledger;
    this.kills = kills;
  }

  /**
   * Waits until all is settled and finds each acknowledged Submission settled once, none besides.
   *
   * @param kills how often a Turn of each conversation may have been cut off
   * @return what to print
   */
  static String on(Caller caller, Ledger ledger, int kills)
      throws IOException, InterruptedException {
    return new Verdict(caller, ledger, kills).read();
  }

  private String read() throws IOException, InterruptedException {
    assertEquals(Set.of(), ledger.unanswered());
    for (Map.Entry<String, Set<String>> one : ledger.byConversation().entrySet()) {
      conversation(one.getKey(), one.getValue());
    }
    assertEquals(List.of(), lost, "lost");
    assertEquals(List.of(), doubled, "doubled");
    assertFaultsAreTold();
    return "%d admissions, lost %d, doubled %d, %d faults, %s"
        .formatted(admissions, lost.size(), doubled.size(), faults.size(), outcomes);
  }

  private void conversation(String id, Set<String> acknowledged)
      throws IOException, InterruptedException {
    List<JsonNode> events = caller.until(id, Told.has("submission-settled", acknowledged.size()));
    List<String> admitted = Told.ids(events, "submission-admitted");
    List<String> started = Told.ids(events, "turn-started");
    admissions += admitted.size();
    acknowledged.stream().filter(one -> !admitted.contains(one)).forEach(lost::add);
    for (List<String> each : List.of(admitted, started, Told.ids(events, "submission-settled"))) {
      Set<String> once = new HashSet<>();
      each.stream().filter(one -> !once.add(one)).forEach(doubled::add);
    }
    assertEquals(acknowledged, Set.copyOf(admitted), id);
    assertEquals(admitted, Told.ids(events, "submission-settled"), id);
    assertEquals(admitted.stream().filter(started::contains).toList(), started, id);
    assertEquals(started, prompts(events), id);
    assertCallsAreAnswered(events);
    assertEndings(id, events, Set.copyOf(started));
    assertOffset(id, admitted.getLast());
  }

  /** Reading from it shows every event of its Submission and nothing before it. */
  private void assertOffset(String id, String submissionId)
      throws IOException, InterruptedException {
    String offset = ledger.offsets().getOrDefault(submissionId, "");
    JsonNode first = caller.updates(id, offset).json().path(0);
    assertEquals("submission-admitted", first.path("type").asText(), id);
    assertEquals(submissionId, first.path("submissionId").asText(), id);
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

  /** Nothing ends in a way that nobody caused, and a Turn that did not start was swept. */
  private void assertEndings(String id, List<JsonNode> events, Set<String> started) {
    boolean burned = false;
    int cut = 0;
    for (JsonNode event : events) {
      if (event.path("type").asText().equals("submission-admitted")) {
        assertTrue(!burned, () -> id + " was burned and went on: " + events);
      }
      if (!event.path("type").asText().equals("submission-settled")) {
        continue;
      }
      String submission = event.path("submissionId").asText();
      String cause = event.path("causedBy").asText();
      String fault = event.at("/fault/class").asText();
      String outcome = event.path("outcome").asText();
      burned |= event.at("/fault/burned").asBoolean();
      int _ = outcomes.merge(fault.isEmpty() ? outcome : fault, 1, Integer::sum);
      if (!fault.isEmpty() && cause.isEmpty()) {
        faults.put(submission, event.path("fault"));
      }
      switch (fault.isEmpty() ? outcome : fault) {
        case "completed" -> assertTrue(started.contains(submission), id);
        case "aborted" -> assertTrue(ledger.wasAborted(id), id);
        case "turn-lost" -> cut++;
        case "infra" -> assertTrue(started.contains(submission) == cause.isEmpty(), id);
        default -> throw new AssertionError(id + " ended by itself: " + event);
      }
    }
    assertTrue(cut <= kills, id + " was cut " + cut + " times by " + kills + " kills");
  }

  /** The feed shows each fault once, and each bump of an address goes one further. */
  private void assertFaultsAreTold() throws IOException, InterruptedException {
    Map<String, JsonNode> told = new HashMap<>();
    Map<String, Integer> epochs = new HashMap<>();
    for (JsonNode one : caller.get("/faults").json()) {
      String submission = one.path("submissionId").asText();
      assertTrue(told.put(submission, one.path("fault")) == null, "told twice: " + one);
      JsonNode epoch = one.at("/fault/epoch");
      if (epoch.isObject()) {
        String next = one.at("/fault/next").asText();
        String address = next.substring(0, next.lastIndexOf('/'));
        int from = epochs.getOrDefault(address, 0);
        assertEquals(from, epoch.path("from").asInt(), () -> one + " comes after " + from);
        epochs.put(address, epoch.path("to").asInt());
        assertEquals(from + 1, epoch.path("to").asInt(), one::toString);
      }
    }
    assertEquals(faults, told);
  }
}
