package harness.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import harness.Bodies;
import harness.Reply;
import harness.TestHarness;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One Idempotency-Key admits one Submission, however often it is sent. */
@Timeout(120)
class IdempotencyTest {
  private static final int CLIENTS = 50;

  private TestHarness harness;

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    harness = TestHarness.start(directory);
  }

  @AfterEach
  void stop() {
    harness.close();
  }

  private Reply turn(ObjectNode body, String key) {
    return harness.post("/turns", body, "Idempotency-Key", key);
  }

  private long admitted(String conversation) {
    return harness.events(conversation).stream()
        .filter(event -> event.path("type").asText().equals("submission-admitted"))
        .count();
  }

  private static void assertReplayOf(Reply first, Reply again) {
    assertEquals(first.ok().json(), again.ok().json());
    assertFalse(first.hasHeader("idempotent-replayed"), first::toString);
    assertEquals("true", again.header("idempotent-replayed"));
  }

  @Test
  void theSameKeyAndBodyGetTheFirstAnswerAgain() {
    Reply first = turn(Bodies.continued("run", "Write it."), "key");
    Reply again = turn(Bodies.continued("run", "Write it."), "key");
    assertReplayOf(first, again);
    assertEquals(1, admitted("/agents/coder/run%2Ftask%2Fcoder"));
  }

  @Test
  void aFreshTurnSentTwiceIsOneConversation() {
    Reply first = turn(Bodies.turn("run", "Write it."), "key");
    Reply again = turn(Bodies.turn("run", "Write it."), "key");
    assertReplayOf(first, again);
  }

  @Test
  void aKeyIsKnownAfterARestart() throws Exception {
    Reply first = turn(Bodies.continued("run", "Write it."), "key");
    harness.awaitSettled(first);
    harness.restart();
    Reply again = turn(Bodies.continued("run", "Write it."), "key");
    assertEquals("true", again.header("idempotent-replayed"));
    for (String field : new String[] {"instanceId", "submissionId", "offset", "epoch", "ahead"}) {
      assertEquals(first.text(field), again.text(field));
    }
    assertEquals(1, admitted("/agents/coder/run%2Ftask%2Fcoder"));
    Reply page =
        harness.get("/agents/coder/run%2Ftask%2Fcoder?offset=" + again.text("offset")).ok();
    assertEquals(
        first.text("submissionId"), page.elements().getFirst().path("submissionId").asText());
  }

  @Test
  void oneKeySentByManyClientsAtOnceIsOneSubmission() {
    for (ObjectNode body :
        List.of(Bodies.continued("run", "Write it."), Bodies.turn("other", "Write it."))) {
      assertOneSubmission("/turns", body);
    }
    assertOneSubmission("/agents/coder/mine", Bodies.submission("Write it."));
  }

  private void assertOneSubmission(String target, ObjectNode body) {
    List<CompletableFuture<Reply>> sent =
        IntStream.range(0, CLIENTS)
            .mapToObj(
                _ -> harness.sendAsync("POST", target, body.toString(), "Idempotency-Key", "once"))
            .toList();
    List<Reply> replies = sent.stream().map(CompletableFuture::join).map(Reply::ok).toList();
    Set<Object> answers = new HashSet<>();
    replies.forEach(reply -> answers.add(reply.json()));
    assertEquals(1, answers.size(), () -> "several answers: " + answers);
    assertEquals(
        CLIENTS - 1,
        replies.stream().filter(reply -> reply.hasHeader("idempotent-replayed")).count());
    String conversation = replies.getFirst().conversation();
    assertEquals(1, admitted(conversation));
  }

  @Test
  void theSameKeyWithAnotherBodyIsRefused() {
    Reply first = turn(Bodies.continued("run", "Write it."), "key");
    Reply other = turn(Bodies.continued("run", "Write another."), "key");
    assertEquals(422, other.status(), other::toString);
    assertTrue(other.error().contains("'key'"), other.error());
    Reply more = turn(Bodies.continued("run", "Write it.").put("epoch", 0), "key");
    assertEquals(422, more.status(), more::toString);
    assertEquals(1, admitted("/agents/coder/run%2Ftask%2Fcoder"));
    assertReplayOf(first, turn(Bodies.continued("run", "Write it."), "key"));
  }

  @Test
  void theKeyIsLookedUpBeforeTheRestIsChecked(@TempDir Path elsewhere) throws Exception {
    Path cwd = harness.root().resolve("here");
    java.nio.file.Files.createDirectory(cwd);
    ObjectNode body = Bodies.continued("run", "Write it.").put("cwd", cwd.toString());
    Reply first = turn(body, "key");
    harness.awaitSettled(first);
    java.nio.file.Files.move(cwd, elsewhere.resolve("gone"));
    assertReplayOf(first, turn(body, "key"));
    assertEquals(400, turn(body, "next").status());
  }

  @Test
  void aRefusedRequestDoesNotUseItsKeyUp() {
    Reply refused = turn(Bodies.continued("run", "Write it.").put("cwd", "/nowhere"), "key");
    assertEquals(400, refused.status(), refused::toString);
    Reply first = turn(Bodies.continued("run", "Write it."), "key");
    assertFalse(first.ok().hasHeader("idempotent-replayed"));
  }

  @Test
  void spacingAndTheOrderOfKeysMakeNoOtherBody() {
    String spaced =
        """
        { "prompt" : "Write it.",
          "definition" : { "instructions" : "You write code.", "model" : "test/plain" },
          "agent" : "coder", "run" : "run", "continue" : true, "path" : "t\\u0061sk" }
        """;
    Reply first = turn(Bodies.continued("run", "Write it."), "key");
    Reply again = harness.send("POST", "/turns", spaced, "Idempotency-Key", "key");
    assertReplayOf(first, again);
  }

  @Test
  void anotherAddressOrConversationMayUseTheSameKey() {
    Set<String> submissions = new HashSet<>();
    for (Reply reply :
        new Reply[] {
          turn(Bodies.continued("run", "Write it."), "key"),
          turn(Bodies.continued("other", "Write it."), "key"),
          turn(Bodies.continued("run", "Write it.").put("path", "other"), "key"),
          turn(Bodies.continued("run", "Write it.").put("agent", "tester"), "key"),
          harness.post("/agents/coder/a", Bodies.submission("x"), "Idempotency-Key", "key"),
          harness.post("/agents/coder/b", Bodies.submission("x"), "Idempotency-Key", "key"),
          harness.post("/agents/tester/a", Bodies.submission("x"), "Idempotency-Key", "key"),
        }) {
      assertFalse(reply.ok().hasHeader("idempotent-replayed"), reply::toString);
      submissions.add(reply.text("submissionId"));
    }
    assertEquals(7, submissions.size());
  }

  @Test
  void withoutAKeyTheSameBodyIsAnotherSubmission() {
    Reply first = harness.post("/turns", Bodies.continued("run", "Write it."));
    Reply second = harness.post("/turns", Bodies.continued("run", "Write it."));
    assertNotEquals(first.text("submissionId"), second.ok().text("submissionId"));
    assertEquals(2, admitted("/agents/coder/run%2Ftask%2Fcoder"));
  }
}
