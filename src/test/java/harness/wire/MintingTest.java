package harness.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import harness.Bodies;
import harness.Reply;
import harness.TestHarness;
import harness.TestSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The Harness mints Instance IDs by structure, so that no two Turns share one by accident. */
@Timeout(120)
class MintingTest {
  private TestHarness harness;

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    harness = TestSettings.in(directory).freeAfter(Duration.ZERO).start();
  }

  @AfterEach
  void stop() {
    harness.close();
  }

  private Reply turn(ObjectNode body) {
    return harness.post("/turns", body);
  }

  private Reply continued(String prompt) {
    return turn(Bodies.continued("run", prompt));
  }

  /** What the conversation's people and Agents said, in order. */
  private List<String> said(Reply admission) {
    harness.awaitSettled(admission);
    return harness
        .get(admission.conversation() + "?view=history")
        .ok()
        .json()
        .path("messages")
        .findValuesAsText("text");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "run | a/b",
        "run | ''",
        "run | .",
        "run | ..",
        "run | a\tb",
        "path | /",
        "path | a//b",
        "path | /a",
        "path | a/",
        "path | a/./b",
        "path | a/../b",
        "path | ..",
        "agent | ''",
        "agent | f-x",
        "agent | 1coder",
        "agent | co/der",
        "agent | co der",
        "agent | cöder",
        "agent | _coder",
      })
  void whatCouldMakeTwoTurnsShareAnIdIsRefused(String field, String value) {
    for (boolean continues : new boolean[] {true, false}) {
      Reply refused = turn(Bodies.turn("run", "x").put("continue", continues).put(field, value));
      assertEquals(400, refused.status(), refused::toString);
      assertEquals("run", refused.field(), "the first part of the address");
      assertTrue(refused.error().contains(field), refused.error());
    }
    JsonNode freed = harness.send("PUT", "/agents", "{\"live\":[]}").ok().json().path("freed");
    assertEquals(0, freed.asInt());
  }

  @Test
  void aFreshTurnHasASuffixThatNoOtherHas() {
    Reply one = turn(Bodies.turn("run", "x"));
    Reply two = turn(Bodies.turn("run", "x"));
    assertTrue(one.ok().text("instanceId").matches("run/task/coder/f-[a-z0-9]{16}"), one::toString);
    assertNotEquals(one.text("instanceId"), two.ok().text("instanceId"));
    assertEquals("true", two.text("new"));
    assertEquals("0", two.text("epoch"));
  }

  @Test
  void anEmptyOrAbsentPathIsLeftOut() {
    ObjectNode body = Bodies.continued("run", "x");
    assertEquals("run/coder", turn(body.put("path", "")).ok().text("instanceId"));
    body.remove("path");
    assertEquals("run/coder", turn(body).ok().text("instanceId"));
    assertEquals("run/a/b/coder", turn(body.put("path", "a/b")).ok().text("instanceId"));
  }

  @Test
  void aCleanTurnInBetweenDoesNotDisturbAContinuedConversation() {
    Reply first = continued("one");
    Reply clean = turn(Bodies.turn("run", "two"));
    Reply again = continued("three");
    assertEquals("run/task/coder", first.ok().text("instanceId"));
    assertEquals("run/task/coder", again.ok().text("instanceId"));
    assertEquals("false", again.text("new"));
    assertEquals(List.of("one", "Done.", "three", "Done."), said(again));
    assertEquals(List.of("two", "Done."), said(clean));
  }

  @Test
  void theLargerOfBothLedgersIsMinted() {
    Reply ahead = turn(Bodies.continued("run", "what is new").put("epoch", 3));
    assertEquals("run/task/coder/3", ahead.ok().text("instanceId"));
    assertEquals("3", ahead.text("epoch"));
    assertEquals("true", ahead.text("new"));
    assertEquals("The conversation is new.", said(ahead).getLast());

    for (int behind : new int[] {0, 2, 3}) {
      Reply same = turn(Bodies.continued("run", "what is new").put("epoch", behind));
      assertEquals("run/task/coder/3", same.ok().text("instanceId"));
      assertEquals("false", same.text("new"));
    }
    Reply further = turn(Bodies.continued("run", "what is new").put("epoch", 4));
    assertEquals("run/task/coder/4", further.ok().text("instanceId"));
  }

  @Test
  void anEpochHasABound() throws Exception {
    for (int tooLarge : new int[] {Integer.MAX_VALUE, 1_000_000_000}) {
      Reply refused = turn(Bodies.continued("run", "x").put("epoch", tooLarge));
      assertEquals(400, refused.status(), refused::toString);
      assertEquals("epoch", refused.field());
    }
    Reply last = turn(Bodies.continued("run", "Meet a fault.").put("epoch", 999_999_999));
    assertEquals("run/task/coder/999999999", last.ok().text("instanceId"));
    harness.awaitSettled(last);
    for (int epoch = 1_000_000_000; epoch < 1_000_000_003; epoch++) {
      Reply next = continued("Meet a fault.");
      assertEquals("run/task/coder/" + epoch, next.ok().text("instanceId"));
      assertEquals("failed", harness.awaitSettled(next).path("outcome").asText());
    }
  }

  @Test
  void aBurnBumpsTheEpochAndTheNextTurnIsToldThatItIsNew() {
    JsonNode settled = harness.awaitSettled(continued("Meet a fault."));
    assertEquals("run/task/coder/1", settled.path("fault").path("next").asText());
    Reply next = continued("what is new");
    assertEquals("run/task/coder/1", next.ok().text("instanceId"));
    assertEquals("1", next.text("epoch"));
    assertEquals(List.of("what is new", "The conversation is new."), said(next));
  }

  @Test
  void aBurnBehindAnEpochThatItsCallerOpenedNamesThatOneAsTheNext() throws Exception {
    Reply first = continued("gate-1, then meet a fault.");
    harness.awaitStarted(first);
    turn(Bodies.continued("run", "x").put("epoch", 5)).ok();
    harness.post(first.conversation(), Bodies.submission("Meet a fault.")).ok();
    harness.open("gate-1");
    JsonNode fault =
        harness
            .await(first.conversation(), "submission-settled", "outcome", "failed")
            .path("fault");
    assertEquals("run/task/coder/5", fault.path("next").asText());
    assertEquals("run/task/coder/5", continued("x").ok().text("instanceId"));
  }

  @Test
  void aConversationThatCanNotBeReadIsSetAsideAndTheNextOneSaysSo() throws Exception {
    Reply damaged = continued("one");
    Reply sound = turn(Bodies.continued("other", "one"));
    harness.awaitSettled(damaged);
    harness.awaitSettled(sound);
    Damage.to(harness.state(), "run/task/coder");
    Reply unread = harness.get(damaged.conversation());
    assertEquals(500, unread.status(), unread::toString);
    assertTrue(unread.error().contains("run/task/coder"), unread.error());

    Reply next = continued("what is new");
    assertEquals("run/task/coder/1", next.ok().text("instanceId"));
    assertEquals(List.of("what is new", "The conversation is new."), said(next));
    assertEquals("run/task/coder/1", continued("x").ok().text("instanceId"));
    assertEquals(List.of("one", "Done."), said(sound), "the others are served");
  }

  @Test
  void aConversationThatIsExpectedAndNotHeldStartsAnewWithANotice() {
    Reply expected = turn(Bodies.continued("run", "what is new").put("expectHeld", true));
    assertEquals("run/task/coder", expected.ok().text("instanceId"));
    assertEquals("true", expected.text("new"));
    assertEquals("The conversation is new.", said(expected).getLast());

    Reply first = turn(Bodies.continued("other", "what is new"));
    assertEquals("Nothing is new.", said(first).getLast());
    Reply held = turn(Bodies.continued("other", "what is new").put("expectHeld", true));
    assertEquals("false", held.ok().text("new"));
    assertEquals("Nothing is new.", said(held).getLast());
  }

  @Test
  void anIdThatWouldBeTooLongIsRefused() {
    int others = "/task/coder".length();
    String run = "r".repeat(1024 - others);
    Reply longest = turn(Bodies.continued(run, "x"));
    assertEquals(1024, longest.ok().text("instanceId").length());
    harness.awaitSettled(longest);
    for (ObjectNode body :
        List.of(
            Bodies.continued(run + "r", "x"),
            Bodies.turn(run, "x"),
            Bodies.continued(run, "x").put("epoch", 1))) {
      Reply refused = turn(body);
      assertEquals(400, refused.status(), refused::toString);
      assertEquals("run", refused.field());
      assertTrue(refused.error().contains("1024 bytes"), refused.error());
    }
  }

  @Test
  void theLongestAddressThatWasBurnedRefusesWithItsReason() {
    String run = "r".repeat(1024 - "/task/coder".length());
    harness.awaitSettled(turn(Bodies.continued(run, "Meet a fault.")));
    Reply refused = turn(Bodies.continued(run, "x"));
    assertEquals(400, refused.status(), refused::toString);
    assertTrue(refused.error().contains("1024 bytes"), refused.error());
  }

  @Test
  void manyContinuedAdmissionsAtOnceLandOnOneConversation() {
    var sent =
        java.util.stream.IntStream.range(0, 30)
            .mapToObj(
                i ->
                    harness.sendAsync(
                        "POST", "/turns", Bodies.continued("run", "t" + i).toString(), "X", "y"))
            .toList();
    List<Reply> replies = sent.stream().map(java.util.concurrent.CompletableFuture::join).toList();
    assertEquals(
        List.of("run/task/coder"),
        replies.stream().map(reply -> reply.ok().text("instanceId")).distinct().toList());
    assertEquals(1, replies.stream().filter(reply -> reply.text("new").equals("true")).count());
    assertEquals(30, replies.stream().map(reply -> reply.text("offset")).distinct().count());
  }

  @Test
  void anAddressKeepsItsOwnerOverABump() {
    ObjectNode alice = Bodies.continued("run", "Meet a fault.");
    alice.putObject("author").put("kind", "user").put("id", "alice");
    harness.awaitSettled(turn(alice));
    ObjectNode bob = Bodies.continued("run", "x");
    bob.putObject("author").put("kind", "user").put("id", "bob");
    Reply next = turn(bob);
    assertEquals("1", next.text("epoch"));
    harness.awaitSettled(next);
    assertEquals(
        "{\"kind\":\"user\",\"id\":\"alice\"}",
        harness.get(next.conversation() + "?view=history").json().path("owner").toString());
  }

  @Test
  void anOwnerActsForTheFirstAuthorThatActedForSomeone() {
    ObjectNode alice = Bodies.continued("run", "x");
    alice.putObject("author").put("kind", "user").put("id", "alice");
    harness.awaitSettled(turn(alice));
    ObjectNode owner = Bodies.continued("run", "x");
    owner.putObject("author").put("kind", "owner");
    Reply reply = turn(owner);
    JsonNode started =
        harness.await(
            reply.conversation(), "turn-started", "submissionId", reply.text("submissionId"));
    assertEquals("{\"kind\":\"user\",\"id\":\"alice\"}", started.path("author").toString());
    assertEquals(
        "{\"kind\":\"user\",\"id\":\"alice\"}",
        started.path("actor").path("onBehalfOf").toString());
  }
}
