package harness.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import harness.Bodies;
import harness.Reply;
import harness.TestHarness;
import harness.TestSettings;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What waits, how much of it may, and what a fault does to it. */
@Timeout(120)
class QueueTest {
  private static final String CONVERSATION = "/agents/coder/run%2Ftask%2Fcoder";

  private static Reply go(TestHarness harness, String run, String prompt) {
    return harness.post("/turns", Bodies.continued(run, prompt));
  }

  private static void assertFull(Reply reply, String what) {
    assertEquals(429, reply.status(), reply::toString);
    assertTrue(reply.error().contains(what), reply.error());
    assertTrue(Integer.parseInt(reply.header("retry-after")) > 0, reply::toString);
  }

  private static List<String> settledInOrder(TestHarness harness, String conversation) {
    return harness.events(conversation).stream()
        .filter(event -> event.path("type").asText().equals("submission-settled"))
        .map(event -> event.path("submissionId").asText())
        .toList();
  }

  @Test
  void whatComesBehindALiveTurnIsQueuedAndRunsInOrder(@TempDir Path directory) throws Exception {
    try (TestHarness harness = TestHarness.start(directory)) {
      Reply live = go(harness, "run", "Wait for gate-1.");
      harness.awaitStarted(live);
      Reply second = go(harness, "run", "Write it.").ok();
      Reply third = go(harness, "run", "Write more.").ok();
      assertEquals("[0, 1, 2]", List.of(ahead(live), ahead(second), ahead(third)).toString());
      assertEquals(
          "[true, false, false]",
          List.of(live.text("new"), second.text("new"), third.text("new")).toString());
      assertEquals(
          "[running, queued, queued]",
          harness
              .get(CONVERSATION + "?view=history")
              .ok()
              .json()
              .path("queue")
              .findValuesAsText("state")
              .toString());

      harness.open("gate-1");
      harness.awaitSettled(third);
      assertEquals(
          List.of(
              live.text("submissionId"), second.text("submissionId"), third.text("submissionId")),
          settledInOrder(harness, CONVERSATION));
      assertEquals("0", go(harness, "run", "Write again.").ok().text("ahead"));
    }
  }

  private static String ahead(Reply reply) {
    return reply.ok().text("ahead");
  }

  @Test
  void aFullQueueOfAConversationRefusesAndTakesAgainWhenThereIsRoom(@TempDir Path directory)
      throws Exception {
    try (TestHarness harness = TestSettings.in(directory).queues(2, 100).start()) {
      harness.awaitStarted(go(harness, "run", "Wait for gate-1."));
      go(harness, "run", "one").ok();
      Reply last = go(harness, "run", "two").ok();
      Reply refused = go(harness, "run", "three");
      assertFull(refused, "run/task/coder");
      assertFull(harness.post(CONVERSATION, Bodies.submission("three")), "2 wait");
      go(harness, "other", "Another conversation has room.").ok();

      harness.open("gate-1");
      harness.awaitSettled(last);
      go(harness, "run", "three").ok();
    }
  }

  @Test
  void aFullQueueOfTheProcessRefusesEveryConversation(@TempDir Path directory) throws Exception {
    try (TestHarness harness = TestSettings.in(directory).queues(64, 3).start()) {
      Reply first = go(harness, "run", "Wait for gate-1.");
      go(harness, "run", "one").ok();
      Reply last = go(harness, "run", "two").ok();
      assertFull(go(harness, "other", "three"), "this Harness");
      assertFull(harness.post("/turns", Bodies.turn("fresh", "three")), "3");
      assertEquals(404, harness.get("/agents/coder/other%2Ftask%2Fcoder").status());

      harness.open("gate-1");
      harness.awaitSettled(first);
      harness.awaitSettled(last);
      awaitRoom(harness);
    }
  }

  /** The Settlement is read a moment before its place is free. */
  private static Reply awaitRoom(TestHarness harness) {
    while (true) {
      Reply reply = go(harness, "other", "three");
      if (reply.status() != 429) {
        return reply.ok();
      }
    }
  }

  @Test
  void anAbortMakesRoomInTheQueueOfTheProcess(@TempDir Path directory) throws Exception {
    try (TestHarness harness = TestSettings.in(directory).queues(64, 2).start()) {
      go(harness, "run", "Wait for gate-1.").ok();
      go(harness, "run", "one").ok();
      assertEquals(429, go(harness, "other", "two").status());
      harness.send("POST", CONVERSATION + "/abort", "").ok();
      harness.awaitSettled(go(harness, "other", "two"));
    }
  }

  @Test
  void aBurnedConversationRefusesAnExactSubmissionAndSaysWhereToGoOn(@TempDir Path directory)
      throws Exception {
    try (TestHarness harness = TestHarness.start(directory)) {
      JsonNode settled = harness.awaitSettled(go(harness, "run", "Meet a fault."));
      assertEquals("failed", settled.path("outcome").asText());

      Reply refused = harness.post(CONVERSATION, Bodies.submission("Go on."));
      assertEquals(409, refused.status(), refused::toString);
      assertTrue(refused.error().contains("run/task/coder/1"), refused.error());
      assertEquals("run/task/coder/1", refused.text("next"));
      assertEquals(settled.path("fault"), refused.json().path("fault"));
      assertEquals("infra", refused.json().path("fault").path("class").asText());
      assertTrue(refused.json().path("fault").path("burned").asBoolean());
      assertEquals("{\"from\":0,\"to\":1}", refused.json().path("fault").path("epoch").toString());

      Reply next =
          harness.post("/agents/coder/run%2Ftask%2Fcoder%2F1", Bodies.submission("Go on."));
      assertEquals("1", next.ok().text("epoch"));
      Reply minted = go(harness, "run", "Go on.");
      assertEquals("run/task/coder/1", minted.ok().text("instanceId"));
      assertEquals("1", minted.text("epoch"));
    }
  }

  @Test
  void aBurnedFreshConversationHasNoEpochToGoOnAt(@TempDir Path directory) throws Exception {
    try (TestHarness harness = TestHarness.start(directory)) {
      Reply fresh = harness.post("/turns", Bodies.turn("run", "Meet a fault."));
      JsonNode settled = harness.awaitSettled(fresh);
      assertFalse(settled.path("fault").has("epoch"), settled::toString);
      assertFalse(settled.path("fault").has("next"), settled::toString);
      String conversation = fresh.conversation();
      Reply refused = harness.post(conversation, Bodies.submission("Go on."));
      assertEquals(409, refused.status(), refused::toString);
      assertFalse(refused.json().has("next"), refused::toString);
    }
  }

  @Test
  void whatIsQueuedBehindABurnSettlesWithItsFaultAndItsCause(@TempDir Path directory)
      throws Exception {
    try (TestHarness harness = TestHarness.start(directory)) {
      Reply live = go(harness, "run", "Wait for gate-1.");
      Reply burning = go(harness, "run", "Meet a fault.");
      Reply behind = go(harness, "run", "Write it.");
      harness.open("gate-1");
      assertEquals("completed", harness.awaitSettled(live).path("outcome").asText());
      JsonNode fault = harness.awaitSettled(burning);
      JsonNode swept = harness.awaitSettled(behind);
      assertEquals(fault.path("fault"), swept.path("fault"));
      assertEquals(burning.text("submissionId"), swept.path("causedBy").asText());
      assertFalse(fault.has("causedBy"), fault::toString);
      assertEquals("submission_failed", swept.path("error").path("type").asText());
    }
  }

  @Test
  void anIdOfTheCallersOwnIsBurnedAsAnyOther(@TempDir Path directory) throws Exception {
    try (TestHarness harness = TestHarness.start(directory)) {
      harness.awaitSettled(harness.post("/agents/coder/mine", Bodies.submission("fault")));
      Reply refused = harness.post("/agents/coder/mine", Bodies.submission("Go on."));
      assertEquals(409, refused.status(), refused::toString);
      assertEquals("mine/1", refused.text("next"));
    }
  }
}
