package harness.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import harness.Bodies;
import harness.Reply;
import harness.TestHarness;
import harness.TestSettings;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A Harness without a workspace runs what needs none, and refuses the rest before it queues it. */
@Timeout(120)
class NoWorkspaceTest {
  private TestHarness harness;

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    harness = TestSettings.in(directory).freeAfter(Duration.ZERO).startWithoutWorkspace();
  }

  @AfterEach
  void end() throws Exception {
    harness.close();
  }

  private static ObjectNode turn(String workspace) {
    ObjectNode body = Bodies.turn("run", "Think about it.");
    ((ObjectNode) body.path("definition")).put("workspace", workspace);
    return body;
  }

  private static void assertRefused(Reply reply) {
    assertEquals(403, reply.status(), reply::toString);
    assertTrue(reply.error().contains("workspace \"none\""), reply.error());
  }

  private int freed() {
    return harness.send("PUT", "/agents", "{\"live\":[]}").ok().json().path("freed").asInt();
  }

  @Test
  void aTurnThatNeedsAWorkspaceIsForbiddenAndNothingIsQueued() {
    assertRefused(harness.post("/turns", Bodies.turn("run", "Write it.")));
    for (String workspace : new String[] {"read", "write"}) {
      assertRefused(harness.post("/turns", turn(workspace)));
      assertRefused(
          harness.post(
              "/turns",
              turn(workspace).put("cwd", harness.root().resolve("target/feature-x").toString())));
    }
    ObjectNode exact = Bodies.submission("Write it.");
    assertRefused(harness.post("/agents/coder/run%2Ftask%2Fcoder", exact));
    assertEquals(404, harness.get("/agents/coder/run%2Ftask%2Fcoder").status());
    assertEquals(0, freed());
  }

  @Test
  void aTurnThatNeedsNoneRunsWithoutADirectory() {
    Reply admission = harness.post("/turns", turn("none")).ok();
    JsonNode settled =
        harness.await(
            admission.conversation(),
            "submission-settled",
            "submissionId",
            admission.text("submissionId"));
    assertEquals("completed", settled.path("outcome").asText());
    JsonNode started =
        harness.await(
            admission.conversation(),
            "turn-started",
            "submissionId",
            admission.text("submissionId"));
    assertFalse(started.hasNonNull("cwd"), started::toString);
    assertEquals(1, freed());
  }

  @Test
  void repositoriesAreAttachedToNoWorkspace() {
    assertRefused(
        harness.send(
            "POST",
            "/attach",
            "{\"slots\":[{\"slot\":\"docs\",\"url\":\"https://git.example.com/docs.git\"}],"
                + "\"branch\":\"feature-x\"}"));
  }
}
