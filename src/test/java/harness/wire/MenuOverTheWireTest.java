package harness.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import harness.Bodies;
import harness.Reply;
import harness.TestHarness;
import harness.TestParts;
import harness.TestSettings;
import harness.model.scripted.Script;
import harness.store.InMemoryEventStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What callers see of Menus, picks, nudges and rerolls. */
@Timeout(120)
class MenuOverTheWireTest {
  private static final String SCRIPT =
      """
      models:
        plain:
          - when: Finish it
            steps:
              - text: I am done.
                calls:
                  - { name: finish, input: { summary: ok } }
                  - { name: list, input: { path: . } }
          - when: Talk
            steps: [ { text: I only talk. } ]
          - when: answered without a pick
            steps: [ { text: I still talk. } ]
          - when: Circle
            steps:
              - { calls: [ { name: list, input: { path: . } } ] }
              - { calls: [ { name: list, input: { path: . } } ] }
              - { calls: [ { name: list, input: { path: . } } ] }
              - { calls: [ { name: list, input: { path: . } } ] }
          - when: Wait
            steps:
              - text: I wait.
                calls: [ { name: list, input: { path: . } } ]
              - wait-for-file: "GATE"
                calls: [ { name: finish, input: { summary: waited } } ]
      """;

  private TestHarness harness;

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    harness =
        TestSettings.in(directory)
            .start(
                new TestParts(
                    new InMemoryEventStore(),
                    InstantSource.system(),
                    Patience.freeingAfter(Duration.ofMinutes(5))),
                Script.parse(
                    SCRIPT.replace("GATE", directory.resolve("gate").toString()), "of the test"));
  }

  @AfterEach
  void stop() {
    harness.close();
  }

  private static ObjectNode with(ObjectNode body, String... allowed) {
    ObjectNode finish = body.putArray("menu").addObject();
    finish.put("name", "finish").put("description", "The work is done.");
    finish.putObject("input").put("type", "object").putArray("required").add("summary");
    ArrayNode names = body.putArray("allowed");
    List.of(allowed).forEach(names::add);
    return body;
  }

  private List<JsonNode> events(Reply admission, String type) {
    return harness.events(admission.conversation()).stream()
        .filter(event -> event.path("type").asText().equals(type))
        .toList();
  }

  private JsonNode history(Reply admission) {
    return harness.get(admission.conversation() + "?view=history").ok().json();
  }

  @Test
  void aPickIsShownInItsEventTheSettlementAndTheHistory() {
    Reply turn = harness.post("/turns", with(Bodies.continued("run", "Finish it."), "finish"));
    JsonNode settled = harness.awaitSettled(turn);
    String pick = "{\"name\":\"finish\",\"input\":{\"summary\":\"ok\"}}";
    assertEquals("completed", settled.path("outcome").asText());
    assertEquals(pick, settled.path("pick").toString());
    assertFalse(settled.has("error"));
    JsonNode picked = events(turn, "picked").getFirst();
    assertEquals("finish", picked.path("name").asText());
    assertEquals("{\"summary\":\"ok\"}", picked.path("input").toString());
    assertEquals(
        "{\"kind\":\"agent\",\"id\":\"run/task/coder\",\"onBehalfOf\":null}",
        picked.path("actor").toString());
    assertEquals(turn.text("submissionId"), picked.path("submissionId").asText());
    assertEquals(picked.path("position").path("batch"), settled.path("position").path("batch"));
    assertEquals(pick, history(turn).path("settlements").path(0).path("pick").toString());
  }

  @Test
  void aTurnWithoutPickIsNudgedAndThenANoSignalThatTheFeedTellsOf() {
    Reply turn = harness.post("/turns", with(Bodies.continued("run", "Talk."), "finish"));
    JsonNode settled = harness.awaitSettled(turn);
    assertEquals("no_signal", settled.path("error").path("type").asText());
    assertEquals("no-signal", settled.path("fault").path("class").asText());
    assertTrue(settled.path("fault").path("burned").asBoolean());
    assertTrue(settled.path("error").path("message").asText().contains("finish"));
    assertFalse(settled.has("pick"));
    List<JsonNode> nudges = events(turn, "nudged");
    assertEquals(List.of(1, 2), nudges.stream().map(one -> one.path("attempt").asInt()).toList());
    assertFalse(nudges.toString().contains("Allowed picks"), nudges::toString);
    assertEquals(
        List.of("user", "assistant", "assistant", "assistant"),
        history(turn).path("messages").findValuesAsText("role"));
    JsonNode fault = harness.get("/faults").elements().getFirst().path("fault");
    assertEquals("no-signal", fault.path("class").asText());
    assertEquals("run/task/coder/1", fault.path("next").asText());
    assertEquals(0, events(turn, "rerolled").size());
  }

  @Test
  void aFreshTurnIsRerolledOnceAndTheHistoryShowsBothTries() {
    Reply turn = harness.post("/turns", Bodies.turn("run", "Circle."));
    JsonNode settled = harness.awaitSettled(turn);
    assertEquals("runaway", settled.path("error").path("type").asText());
    JsonNode rerolled = events(turn, "rerolled").getFirst();
    assertEquals(1, rerolled.path("attempt").asInt());
    assertTrue(rerolled.path("reason").asText().contains("4 identical calls"));
    assertEquals(1, events(turn, "rerolled").size());
    assertEquals(8, events(turn, "tool-called").size());
    assertEquals(List.of("user"), history(turn).path("messages").findValuesAsText("role"));
  }

  @Test
  void aContinuedTurnThatRunsInCirclesBurnsAtOnce() {
    Reply turn = harness.post("/turns", Bodies.continued("run", "Circle."));
    JsonNode settled = harness.awaitSettled(turn);
    assertEquals("run/task/coder/1", settled.path("fault").path("next").asText());
    assertEquals(0, events(turn, "rerolled").size());
    Reply next = harness.post("/turns", Bodies.continued("run", "Circle."));
    harness.awaitSettled(next);
    assertEquals("run/task/coder/1", next.text("instanceId"));
    assertEquals(0, events(next, "rerolled").size(), "nor does the first Turn of its next epoch");
  }

  @Test
  void aSubmissionOfACallersOwnConversationIsNeitherNudgedNorRerolled() {
    Reply talk = harness.post("/agents/coder/f-mine", with(Bodies.submission("Talk."), "finish"));
    assertEquals("completed", harness.awaitSettled(talk).path("outcome").asText());
    Reply circle = harness.post("/agents/coder/f-mine", Bodies.submission("Circle."));
    assertEquals("runaway", harness.awaitSettled(circle).path("error").path("type").asText());
    assertEquals(List.of(), events(talk, "nudged"));
    assertEquals(List.of(), events(talk, "rerolled"));
    Reply pick = harness.post("/agents/coder/f-other", with(Bodies.submission("Finish it.")));
    JsonNode refused = harness.awaitSettled(pick);
    assertEquals("failed", refused.path("outcome").asText(), "the script has no second step");
    assertEquals("error", events(pick, "tool-returned").getFirst().path("outcome").asText());
  }

  @Test
  void withNothingAllowedATurnEndsWithItsText() {
    Reply turn = harness.post("/turns", with(Bodies.continued("run", "Talk.")));
    JsonNode settled = harness.awaitSettled(turn);
    assertEquals("completed", settled.path("outcome").asText());
    assertFalse(settled.has("pick"));
    assertEquals(List.of(), events(turn, "nudged"));
  }

  @Test
  void theMenuIsPartOfWhatAKeyStandsFor() {
    ObjectNode body = with(Bodies.continued("run", "Finish it."), "finish");
    Reply first = harness.post("/turns", body, "Idempotency-Key", "k");
    Reply again = harness.post("/turns", body, "Idempotency-Key", "k").ok();
    assertEquals(first.text("submissionId"), again.text("submissionId"));
    body.putArray("allowed");
    assertEquals(422, harness.post("/turns", body, "Idempotency-Key", "k").status());
  }

  @Test
  void aTurnCutOffBeforeItsPickIsLostAndWhatIsQueuedWithAMenuKeepsIt() throws Exception {
    Reply cut = harness.post("/turns", with(Bodies.continued("run", "Wait."), "finish"));
    harness.await(cut.conversation(), "tool-returned", "outcome", "ok");
    Reply queued = harness.post("/turns", with(Bodies.continued("run", "Finish it."), "finish"));
    harness.restart();
    assertEquals(
        "harness_restarted", harness.awaitSettled(cut).path("error").path("type").asText());
    assertEquals("finish", harness.awaitSettled(queued).path("pick").path("name").asText());
  }
}
