package harness.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import harness.Bodies;
import harness.Reply;
import harness.StreamReader;
import harness.TestHarness;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An abort ends what runs and what waits, before it answers. */
@Timeout(120)
class AbortTest {
  private TestHarness harness;

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    harness = TestHarness.start(directory);
  }

  @AfterEach
  void stop() {
    harness.close();
  }

  private Reply go(String prompt) {
    return harness.post("/turns", Bodies.continued("run", prompt));
  }

  private Reply abort(Reply admission) {
    return harness.send("POST", admission.conversation() + "/abort", "");
  }

  @Test
  void itSweepsWhatRunsAndWhatWaitsInOrderOfAdmission() {
    Reply live = go("Wait for gate-1.");
    harness.await(live.conversation(), "tool-returned", "outcome", "ok");
    Reply second = go("Write it.");
    Reply third = go("Write more.");
    Reply answer = abort(live);
    assertEquals("{\"aborted\":true}", answer.ok().body());

    List<JsonNode> settled =
        harness.events(live.conversation()).stream()
            .filter(event -> event.path("type").asText().equals("submission-settled"))
            .toList();
    assertEquals(
        List.of(live.text("submissionId"), second.text("submissionId"), third.text("submissionId")),
        settled.stream().map(event -> event.path("submissionId").asText()).toList());
    for (JsonNode event : settled) {
      assertEquals("aborted", event.path("outcome").asText());
      assertEquals("submission_aborted", event.path("error").path("type").asText());
      assertTrue(event.path("fault").isMissingNode(), event::toString);
    }
    assertEquals("{\"aborted\":false}", abort(live).ok().body());
  }

  @Test
  void whatTheModelHadSaidStaysMarkedAsCut() throws Exception {
    Reply before = go("Write it.");
    harness.awaitSettled(before);
    try (StreamReader stream = harness.stream(before.conversation())) {
      stream.until(frame -> frame.is("submission-settled"));
      Reply live = go("speak slowly");
      stream.until(
          frame ->
              frame.event().equals("delta") && frame.json().path("text").asText().equals("one "));
      abort(live).ok();
      List<StreamReader.Frame> rest = stream.until(frame -> frame.is("submission-settled"));
      JsonNode said =
          rest.stream()
              .filter(frame -> frame.is("message-appended"))
              .map(StreamReader.Frame::json)
              .reduce((_, last) -> last)
              .orElseThrow();
      assertEquals("assistant", said.path("message").path("role").asText());
      assertTrue(said.path("message").path("cut").asBoolean(), said::toString);
      assertTrue(
          said.path("message").path("parts").get(0).path("text").asText().startsWith("one "),
          said::toString);
    }
  }

  @Test
  void theConversationGoesOnAfterwards() {
    Reply live = go("Wait for gate-1.");
    harness.awaitStarted(live);
    abort(live).ok();
    Reply next = go("Write it.");
    assertEquals("run/task/coder", next.ok().text("instanceId"));
    assertEquals("0", next.text("ahead"));
    assertEquals("completed", harness.awaitSettled(next).path("outcome").asText());
  }

  @Test
  void anUnknownConversationIsNotFoundAndNotMade() {
    Reply refused = harness.send("POST", "/agents/coder/unknown/abort", "");
    assertEquals(404, refused.status(), refused::toString);
    refused.error();
    assertEquals(404, harness.get("/agents/coder/unknown").status());
  }

  @Test
  void anAbortOfWhatIsSettledSaysSo() {
    Reply done = go("Write it.");
    harness.awaitSettled(done);
    assertEquals("{\"aborted\":false}", abort(done).ok().body());
  }
}
