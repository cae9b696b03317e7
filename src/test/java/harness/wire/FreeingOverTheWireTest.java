package harness.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import harness.Bodies;
import harness.Reply;
import harness.StreamReader;
import harness.TestClock;
import harness.TestHarness;
import harness.TestParts;
import harness.TestSettings;
import harness.store.InMemoryEventStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A statement of what is live lets the rest go, and nothing that is still needed. */
@Timeout(120)
class FreeingOverTheWireTest {
  private final TestClock clock = new TestClock();
  private final SlowFreeing store = new SlowFreeing(new InMemoryEventStore());
  private TestHarness harness;

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    harness =
        TestSettings.in(directory)
            .start(new TestParts(store, clock, Patience.freeingAfter(Duration.ofMinutes(5))));
  }

  @AfterEach
  void stop() {
    harness.close();
  }

  private Reply go(String run, String prompt) {
    Reply reply = harness.post("/turns", Bodies.continued(run, prompt));
    harness.awaitSettled(reply);
    return reply;
  }

  private int free(String live) {
    return harness
        .send("PUT", "/agents", "{\"live\":[" + live + "]}")
        .ok()
        .json()
        .path("freed")
        .asInt();
  }

  private static String named(String run) {
    return "{\"agent\":\"coder\",\"instanceId\":\"" + run + "/task/coder\"}";
  }

  @Test
  void whatIsNotNamedAndUntouchedForFiveMinutesIsFreed() {
    Reply kept = go("kept", "one");
    Reply freed = go("freed", "one");
    clock.goOn(Duration.ofMinutes(5));
    assertEquals(0, free(named("kept")), "touched five minutes ago, not before");
    clock.goOn(Duration.ofMillis(1));
    assertEquals(1, free(named("kept")));
    assertEquals(200, harness.get(kept.conversation()).status());
    assertEquals(404, harness.get(freed.conversation()).status());
    assertEquals(404, harness.send("HEAD", freed.conversation(), "").status());
    assertEquals(0, free(named("kept")));
    assertEquals(1, free(""), "the next statement takes the rest");
    assertEquals(404, harness.get(kept.conversation()).status());
  }

  @Test
  void aBurnOutlivesFreeingByThirtyDays() {
    Reply burned = go("run", "Meet a fault.");
    Reply fresh = harness.post("/agents/coder/run%2Fown%2Ff-1", Bodies.submission("Meet a fault."));
    harness.awaitSettled(fresh);
    clock.goOn(Duration.ofMinutes(6));
    assertEquals(2, free(""));
    clock.goOn(Duration.ofDays(29));
    for (Reply each : List.of(burned, fresh)) {
      assertEquals(404, harness.get(each.conversation()).status());
      Reply refused = harness.post(each.conversation(), Bodies.submission("Go on."));
      assertEquals(409, refused.status(), refused::toString);
      assertEquals("infra", refused.json().path("fault").path("class").asText());
    }
    assertEquals(2, harness.get("/faults").elements().size());
    clock.goOn(Duration.ofDays(2));
    free("");
    assertEquals(0, harness.get("/faults").elements().size());
    assertEquals(200, harness.post(burned.conversation(), Bodies.submission("Go on.")).status());
  }

  @Test
  void anAdmissionTouchesAConversation() {
    go("run", "one");
    clock.goOn(Duration.ofMinutes(4));
    Reply again = go("run", "two");
    clock.goOn(Duration.ofMinutes(4));
    assertEquals(0, free(""));
    assertEquals(200, harness.get(again.conversation()).status());
  }

  @Test
  void whatIsUnsettledIsNeverFreed() throws Exception {
    Reply live = harness.post("/turns", Bodies.continued("run", "Wait for gate-1."));
    harness.await(live.conversation(), "tool-returned", "outcome", "ok");
    clock.goOn(Duration.ofHours(1));
    assertEquals(0, free(""));
    harness.open("gate-1");
    assertEquals("completed", harness.awaitSettled(live).path("outcome").asText());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "{}",
        "{\"live\":null}",
        "{\"live\":{}}",
        "{\"live\":[{\"agent\":\"coder\"}]}",
        "{\"live\":[{\"instanceId\":\"kept/task/coder\"}]}",
        "{\"live\":[\"kept/task/coder\"]}",
        "{\"live\":[null]}",
        "{\"live\":[{\"agent\":\"coder\",\"instanceId\":\"a//b\"}]}",
        "{\"live\":[{\"agent\":\"co der\",\"instanceId\":\"a\"}]}",
        "{\"live\":[{\"agent\":\"coder\",\"instanceId\":\"a\",\"more\":1}]}",
        "{\"live\":[],\"dead\":[]}",
        "{\"live\":[]} {}",
        "[]",
      })
  void aStatementThatCannotBeReadWholeFreesNothing(String body) {
    Reply held = go("run", "one");
    clock.goOn(Duration.ofHours(1));
    Reply refused = harness.send("PUT", "/agents", body);
    assertEquals(400, refused.status(), refused::toString);
    refused.error();
    assertEquals(200, harness.get(held.conversation()).status());
  }

  @Test
  void aTurnThatBeginsAnewWhileItsConversationIsFreedGoesOn() throws Exception {
    Reply first = go("run", "one");
    try (StreamReader stream = harness.stream(first.conversation())) {
      stream.until(frame -> frame.is("submission-settled"));
      clock.goOn(Duration.ofHours(1));
      store.afterFreeing(
          () -> {
            Reply anew = harness.post("/turns", Bodies.continued("run", "Wait for gate-1."));
            assertEquals("true", anew.ok().text("new"));
            harness.await(anew.conversation(), "tool-returned", "outcome", "ok");
          });
      assertEquals(1, free(""));
      while (stream.next().isPresent()) {
        Thread.onSpinWait();
      }
    }
    Reply behind = harness.post("/turns", Bodies.continued("run", "two"));
    assertEquals("1", behind.ok().text("ahead"));
    harness.open("gate-1");
    assertEquals("completed", harness.awaitSettled(behind).path("outcome").asText());
    JsonNode history = harness.get(first.conversation() + "?view=history").ok().json();
    assertEquals(
        List.of("completed", "completed"), history.path("settlements").findValuesAsText("outcome"));
  }

  @Test
  void anOffsetOfAnEarlierLifeIsNotFound() {
    Reply first = go("run", "one");
    String end = harness.get(first.conversation()).header("stream-next-offset");
    clock.goOn(Duration.ofHours(1));
    assertEquals(1, free(""));
    assertEquals(404, harness.get(first.conversation() + "?offset=" + end).status());

    Reply second = go("run", "two");
    assertEquals("true", second.text("new"));
    assertNotEquals(first.text("offset"), second.text("offset"));
    for (String offset : new String[] {end, first.text("offset")}) {
      assertEquals(404, harness.get(first.conversation() + "?offset=" + offset).status());
      assertEquals(
          404,
          harness
              .get(first.conversation(), "Accept", "text/event-stream", "Last-Event-ID", offset)
              .status());
    }
    JsonNode history = harness.get(second.conversation() + "?view=history").ok().json();
    assertEquals("two", history.path("messages").get(0).path("text").asText());
  }

  @Test
  void aBurnOutlivesFreeing() {
    go("run", "Meet a fault.");
    clock.goOn(Duration.ofDays(29));
    assertEquals(1, free(""));
    Reply next = harness.post("/turns", Bodies.continued("run", "what is new"));
    assertEquals("run/task/coder/1", next.ok().text("instanceId"));
    harness.awaitSettled(next);
    JsonNode history = harness.get(next.conversation() + "?view=history").ok().json();
    assertEquals("The conversation is new.", history.path("messages").get(1).path("text").asText());
  }

  @Test
  void aKeyOutlivesFreeingByAWeek() {
    Reply first = keyed();
    harness.awaitSettled(first);
    clock.goOn(Duration.ofHours(1));
    assertEquals(1, free(""));
    clock.goOn(Duration.ofDays(6));
    free("");
    assertEquals("true", keyed().header("idempotent-replayed"));
    clock.goOn(Duration.ofDays(2));
    free("");
    Reply anew = keyed();
    assertTrue(!anew.ok().hasHeader("idempotent-replayed"), anew::toString);
  }

  private Reply keyed() {
    return harness.post("/turns", Bodies.continued("run", "x"), "Idempotency-Key", "key");
  }
}
