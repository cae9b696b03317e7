package harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The built program is killed in the middle of a Turn and started again on the same state. */
@Timeout(180)
class CrashIT {
  private static final String SCRIPT =
      """
      models:
        m:
          - when: recall
            seen: kingfisher
            steps: [ { text: I saw the bird. } ]
          - when: recall
            steps: [ { text: I saw nothing. } ]
          - when: hold
            steps:
              - text: A kingfisher.
                calls: [ { name: write, input: { path: note.txt, content: seen } } ]
              - { wait-for-file: HOLD, text: Held no more. }
          - steps: [ { text: Done. } ]
      """;
  private static final String ID = "run-1/coder";
  private static final List<String> PROMPTS = List.of("hold on", "the second", "the third");

  @TempDir Path directory;

  private final Map<String, String> pages = new LinkedHashMap<>();
  private final List<Caller.Answer> admitted = new ArrayList<>();

  @Test
  void aKillInTheMiddleOfATurnCostsThatTurnAndNothingElse() throws Exception {
    Site site = Site.make(directory, SCRIPT);
    try (Child child = Child.start(site.configuration());
        Caller caller = new Caller(child.listens())) {
      admitThree(caller);
      readFromEachOffset(caller);
      child.kill();
    }
    try (Child child = Child.start(site.configuration());
        Caller caller = new Caller(child.listens())) {
      theRunningOneIsLostAndTheQueuedOnesRun(caller);
      eachOffsetReadsTheSameEvents(caller);
      eachAdmissionSentAgainIsReplayed(caller);
      theNextContinueSeesWhatWasSaid(caller);
    }
    assertEquals("seen", Files.readString(site.work().resolve("note.txt")));
  }

  private void admitThree(Caller caller) throws Exception {
    admitted.add(caller.admit(body(PROMPTS.get(0)), "key-0"));
    List<JsonNode> _ = caller.until(ID, Told.has("tool-returned", 1));
    admitted.add(caller.admit(body(PROMPTS.get(1)), "key-1"));
    admitted.add(caller.admit(body(PROMPTS.get(2)), "key-2"));
    for (int number = 0; number < PROMPTS.size(); number++) {
      Caller.Answer answer = admitted.get(number);
      assertEquals(200, answer.status(), answer::body);
      assertEquals(number, answer.json().path("ahead").asInt());
      assertEquals(ID, answer.json().path("instanceId").asText());
    }
  }

  private void readFromEachOffset(Caller caller) throws Exception {
    Caller.Answer all = caller.updates(ID, "");
    pages.put("", all.body());
    List<String> offsets = new ArrayList<>(caller.streamed(ID, all.json().size()));
    assertEquals(all.json().size(), offsets.size());
    admitted.forEach(answer -> offsets.add(answer.json().path("offset").asText()));
    offsets.add(all.header("stream-next-offset"));
    for (String offset : offsets) {
      pages.put(offset, caller.updates(ID, offset).body());
    }
    assertTrue(pages.size() > all.json().size(), () -> "too few offsets: " + pages.keySet());
  }

  private void theRunningOneIsLostAndTheQueuedOnesRun(Caller caller) throws Exception {
    List<JsonNode> events = caller.until(ID, Told.has("submission-settled", PROMPTS.size()));
    List<String> ids =
        admitted.stream().map(answer -> answer.json().path("submissionId").asText()).toList();
    assertEquals(ids, Told.ids(events, "submission-admitted"));
    assertEquals(ids, Told.ids(events, "turn-started"));
    assertEquals(ids, Told.ids(events, "submission-settled"));
    assertEquals(List.of("failed", "completed", "completed"), Told.outcomes(events));
    JsonNode lost = Told.of(events, "submission-settled").getFirst();
    assertEquals("harness_restarted", lost.at("/error/type").asText());
    assertEquals("turn-lost", lost.at("/fault/class").asText());
    assertFalse(lost.at("/fault/burned").asBoolean(true));
    assertTrue(lost.at("/fault/epoch").isMissingNode() && lost.at("/fault/next").isMissingNode());
    JsonNode history = caller.get(Caller.path(ID) + "?view=history").json();
    assertEquals(0, history.path("epoch").asInt(-1));
    assertEquals(0, history.path("queue").size());
  }

  private void eachOffsetReadsTheSameEvents(Caller caller) throws Exception {
    for (Map.Entry<String, String> page : pages.entrySet()) {
      String now = caller.updates(ID, page.getKey()).body();
      Told.assertGrown(page.getValue(), now, "what offset '" + page.getKey() + "' reads");
    }
  }

  private void eachAdmissionSentAgainIsReplayed(Caller caller) throws Exception {
    for (int number = 0; number < PROMPTS.size(); number++) {
      Caller.Answer again = caller.admit(body(PROMPTS.get(number)), "key-" + number);
      assertEquals("true", again.header("idempotent-replayed"));
      assertEquals(withoutUrl(admitted.get(number)), withoutUrl(again));
    }
    assertEquals(422, caller.admit(body("another"), "key-1").status());
  }

  /** The port is another one after a restart. */
  private static JsonNode withoutUrl(Caller.Answer answer) {
    ObjectNode json = (ObjectNode) answer.json();
    json.remove("streamUrl");
    return json;
  }

  private static void theNextContinueSeesWhatWasSaid(Caller caller) throws Exception {
    JsonNode next = caller.admit(body("recall it"), "key-3").json();
    assertEquals(ID, next.path("instanceId").asText());
    assertFalse(next.path("new").asBoolean(true));
    List<JsonNode> events = caller.until(ID, Told.has("submission-settled", PROMPTS.size() + 1));
    assertEquals("I saw the bird.", Told.said(events).getLast());
  }

  private static String body(String prompt) {
    return Caller.turn("run-1", true, "m", prompt);
  }
}
