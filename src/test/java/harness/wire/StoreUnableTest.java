package harness.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import harness.Bodies;
import harness.Reply;
import harness.TestHarness;
import harness.TestParts;
import harness.TestSettings;
import harness.store.InMemoryEventStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A store that can't write refuses what is new and keeps what it has. */
@Timeout(120)
class StoreUnableTest {
  private final InMemoryEventStore store = new InMemoryEventStore();
  private TestHarness harness;

  private static final ObjectNode ALICE =
      JsonNodeFactory.instance.objectNode().put("kind", "user").put("id", "alice");

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    harness =
        TestSettings.in(directory)
            .start(
                new TestParts(
                    store, InstantSource.system(), Patience.freeingAfter(Duration.ofMinutes(5))));
  }

  @AfterEach
  void stop() {
    harness.close();
  }

  @Test
  void nothingIsAdmittedAndWhatWasAdmittedStays() {
    Reply before = harness.post("/turns", Bodies.continued("run", "Write it."));
    harness.awaitSettled(before);

    store.failNextAppends(3);
    for (Reply refused :
        new Reply[] {
          harness.post("/turns", Bodies.continued("run", "Write more.")),
          harness.post("/turns", Bodies.turn("run", "Write more.")),
          harness.post("/agents/coder/mine", Bodies.submission("Write more.")),
        }) {
      assertEquals(507, refused.status(), refused::toString);
      assertTrue(refused.error().contains("no space left"), refused.error());
    }
    assertEquals(404, harness.get("/agents/coder/mine").status());
    assertEquals(
        1,
        harness.events(before.conversation()).stream()
            .filter(event -> event.path("type").asText().equals("submission-admitted"))
            .count());

    Reply after = harness.post("/turns", Bodies.continued("run", "Write more."));
    assertEquals("completed", harness.awaitSettled(after).path("outcome").asText());
    assertEquals("0", after.text("ahead"));
  }

  @Test
  void aKeyThatCameWithARefusedAdmissionIsFree() {
    store.failNextAppends(1);
    assertEquals(507, keyed().status());
    Reply first = keyed();
    assertEquals("true", first.ok().text("new"));
    assertEquals("true", keyed().header("idempotent-replayed"));
  }

  private Reply keyed() {
    return harness.post("/turns", Bodies.continued("run", "Write it."), "Idempotency-Key", "key");
  }

  @Test
  void aProposalThatWasAppliedAndNotRecordedIsAcceptedAgain() throws Exception {
    ObjectNode body = Bodies.continued("run", "suggest it");
    ((ObjectNode) body.path("definition")).put("writes", "suggest");
    body.set("author", ALICE);
    Reply turn = harness.post("/turns", body);
    String callId =
        harness
            .await(turn.conversation(), "proposed", "path", "suggested.txt")
            .path("callId")
            .asText();
    harness.awaitSettled(turn);
    ObjectNode accept = JsonNodeFactory.instance.objectNode();
    accept.put("callId", callId).put("decision", "accept").set("author", ALICE);

    store.failNextAppends(1);
    Reply cut = harness.post(turn.conversation() + "/answers", accept);
    assertEquals(507, cut.status(), cut::toString);
    assertEquals("Mine", Files.readString(harness.root().resolve("suggested.txt")));
    harness.restart();

    harness.post(turn.conversation() + "/answers", accept).ok();
    harness.await(turn.conversation(), "proposal-resolved", "decision", "accept");
    assertEquals(
        0, harness.get(turn.conversation() + "/proposals").ok().json().path("proposals").size());
    assertEquals(409, harness.post(turn.conversation() + "/answers", accept).status());
  }

  @Test
  void aFailedAbortSettlesNothing() throws Exception {
    Reply live = harness.post("/turns", Bodies.continued("run", "Wait for gate-1."));
    harness.await(live.conversation(), "tool-returned", "outcome", "ok");
    store.failNextAppends(1);
    Reply refused = harness.send("POST", live.conversation() + "/abort", "");
    assertEquals(507, refused.status(), refused::toString);
    harness.open("gate-1");
    assertEquals("completed", harness.awaitSettled(live).path("outcome").asText());
  }

  @Test
  void aTurnThatCouldNotBeStoredSettlesAsLostWhenThereIsRoomAgain() throws Exception {
    Reply live = harness.post("/turns", Bodies.continued("run", "Wait for gate-1."));
    harness.await(live.conversation(), "tool-returned", "outcome", "ok");
    store.failNextAppends(1);
    harness.open("gate-1");
    assertEquals(
        "harness_restarted", harness.awaitSettled(live).path("error").path("type").asText());
    Reply next = harness.post("/turns", Bodies.continued("run", "Go on."));
    assertEquals("run/task/coder", next.ok().text("instanceId"));
    assertEquals("completed", harness.awaitSettled(next).path("outcome").asText());
  }
}
