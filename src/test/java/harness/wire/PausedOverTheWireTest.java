package harness.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import harness.Bodies;
import harness.Reply;
import harness.TestHarness;
import harness.TestSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A Turn that waits for an answer: what ends it, what leaves it, and whom it goes on for. */
@Timeout(120)
class PausedOverTheWireTest {
  private TestHarness harness;
  private Reply paused;
  private String callId;

  @BeforeEach
  void pause(@TempDir Path directory) throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("authority.yaml"),
            """
            grants:
              - { to: "user:alice", on: "**", may: [ turn.start, workspace.read ] }
              - { to: "user:bob", on: "**", may: [ turn.answer, workspace.read ] }
              - { to: "agent:coder", on: "own/**", may: [ turn.answer, workspace.read ] }
            """);
    harness = TestSettings.in(directory).authority(file).start();
    pause("run");
  }

  private void pause(String run) {
    ObjectNode body = Bodies.continued(run, "list it");
    ((ObjectNode) body.path("definition")).putArray("approve").add("list");
    body.set("author", user("alice"));
    paused = harness.post("/turns", body);
    callId =
        harness
            .await(paused.conversation(), "awaiting-answer", "tool", "list")
            .path("callId")
            .asText();
  }

  @AfterEach
  void stop() {
    harness.close();
  }

  private static ObjectNode user(String id) {
    return JsonNodeFactory.instance.objectNode().put("kind", "user").put("id", id);
  }

  private static ObjectNode agentFor(String id) {
    ObjectNode agent =
        JsonNodeFactory.instance.objectNode().put("kind", "agent").put("id", "run/task/helper");
    agent.set("onBehalfOf", user(id));
    return agent;
  }

  private Reply accept(JsonNode author) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("callId", callId).put("decision", "accept").set("author", author);
    return harness.post(paused.conversation() + "/answers", body);
  }

  private String outcome() {
    return harness.awaitSettled(paused).path("outcome").asText();
  }

  @Test
  void aDrainDoesNotWaitForItAndItGoesOnAfterTheRestart() throws Exception {
    harness.drain(Duration.ofMinutes(5)).get(60, TimeUnit.SECONDS);
    harness.restart();
    assertEquals(200, accept(user("bob")).status());
    assertEquals("completed", outcome());
  }

  @Test
  void anAbortEndsItAndItsCallIsNotRun() {
    assertTrue(
        harness
            .send("POST", paused.conversation() + "/abort", "")
            .ok()
            .json()
            .path("aborted")
            .asBoolean());
    assertEquals("aborted", outcome());
    assertEquals(
        "error",
        harness
            .await(paused.conversation(), "tool-returned", "callId", callId)
            .path("outcome")
            .asText());
    assertEquals(409, accept(user("bob")).status());
  }

  @Test
  void anAgentsAnswerTakesTheRightOfTheAgentAloneWhomeverItActsFor() {
    Reply refused = accept(agentFor("bob"));
    assertEquals(403, refused.status(), refused::toString);
    assertTrue(refused.error().contains("turn.answer"), refused.error());
    assertEquals(200, accept(user("bob")).status());
    assertEquals("completed", outcome());
  }

  @Test
  void aTurnThatAnAgentAnsweredGoesOnForNoOne() {
    harness.send("POST", paused.conversation() + "/abort", "").ok();
    pause("own");
    assertEquals(200, accept(agentFor("bob")).status());
    JsonNode resumed =
        harness.await(
            paused.conversation(), "turn-resumed", "submissionId", paused.text("submissionId"));
    assertEquals("agent", resumed.path("author").path("kind").asText());
    assertTrue(resumed.path("actor").path("onBehalfOf").isNull(), resumed::toString);
    assertEquals("completed", outcome());
  }
}
