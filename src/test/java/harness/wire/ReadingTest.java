package harness.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import harness.Bodies;
import harness.RawConnection;
import harness.Reply;
import harness.TestHarness;
import harness.TestParts;
import harness.TestSettings;
import harness.store.InMemoryEventStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A conversation is read from any offset that was handed out, and each offset keeps its meaning.
 */
@Timeout(120)
class ReadingTest {
  private static final Duration LONG_POLL = Duration.ofMillis(300);

  private static TestHarness harness;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    harness =
        TestSettings.in(directory)
            .start(
                new TestParts(
                    new InMemoryEventStore(),
                    InstantSource.system(),
                    new Patience(LONG_POLL, Duration.ofMinutes(1), Duration.ofMinutes(5))));
  }

  @AfterAll
  static void stop() {
    harness.close();
  }

  private static Reply settled(String run, String prompt) {
    Reply reply = harness.post("/turns", Bodies.continued(run, prompt));
    while (harness
        .get(reply.conversation() + "?view=history")
        .json()
        .path("settlements")
        .isEmpty()) {
      Thread.onSpinWait();
    }
    return reply;
  }

  private static List<String> types(List<JsonNode> events) {
    return events.stream().map(event -> event.path("type").asText()).toList();
  }

  @Test
  void theEventsOfATurnComeInOrderWithWhatTheyCarry() {
    ObjectNode body = Bodies.continued("events", "list it").put("thinkingLevel", "high");
    body.putObject("author").put("kind", "user").put("id", "alice");
    Reply admission = harness.post("/turns", body);
    String id = admission.ok().text("submissionId");
    while (harness
        .get(admission.conversation() + "?view=history")
        .json()
        .path("settlements")
        .isEmpty()) {
      Thread.onSpinWait();
    }
    List<JsonNode> events = harness.events(admission.conversation());
    assertEquals(
        List.of(
            "submission-admitted",
            "turn-started",
            "message-appended",
            "message-appended",
            "tool-called",
            "tool-returned",
            "message-appended",
            "submission-settled"),
        types(events));
    String alice = "{\"kind\":\"user\",\"id\":\"alice\"}";
    String actor = "{\"kind\":\"agent\",\"id\":\"events/task/coder\",\"onBehalfOf\":" + alice + "}";
    for (JsonNode event : events) {
      assertEquals("events/task/coder", event.path("conversationId").asText());
      assertEquals(id, event.path("submissionId").asText());
      assertTrue(event.path("position").path("batch").isInt(), event::toString);
      assertTrue(event.path("position").path("index").isInt(), event::toString);
      java.time.Instant.parse(event.path("at").asText());
    }
    assertEquals(alice, events.get(0).path("author").toString());
    JsonNode started = events.get(1);
    assertEquals(alice, started.path("author").toString());
    assertEquals(actor, started.path("actor").toString());
    assertEquals(harness.root().toString(), started.path("cwd").asText());
    assertEquals("test/plain", started.path("model").asText());
    assertEquals("high", started.path("thinkingLevel").asText());
    assertEquals(1, started.path("attempt").asInt());
    assertEquals(
        "{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"text\":\"list it\",\"state\":\"done\"}]}",
        without(events.get(2).path("message"), "id").toString());
    assertEquals(alice, events.get(2).path("author").toString());
    assertEquals(
        "{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"text\":\"I look.\",\"state\":\"done\"}]}",
        without(events.get(3).path("message"), "id").toString());
    assertEquals(actor, events.get(3).path("actor").toString());
    assertNotEquals(
        events.get(2).path("message").path("id"), events.get(3).path("message").path("id"));
    assertEquals("list", events.get(4).path("name").asText());
    assertEquals("{\"path\":\".\"}", events.get(4).path("input").toString());
    JsonNode returned = events.get(5);
    assertEquals(events.get(4).path("callId"), returned.path("callId"));
    assertEquals("ok", returned.path("outcome").asText());
    assertTrue(returned.path("ms").isIntegralNumber(), returned::toString);
    assertTrue(returned.path("bytes").isIntegralNumber(), returned::toString);
    assertTrue(returned.path("truncated").isBoolean(), returned::toString);
    assertEquals("completed", events.get(7).path("outcome").asText());
    assertTrue(events.get(7).path("usage").isObject(), events.get(7)::toString);
  }

  private static JsonNode without(JsonNode node, String field) {
    return ((ObjectNode) node.deepCopy()).without(field);
  }

  @Test
  void whereAnAgentActsForNoOneItsActorSaysSo() {
    Reply admission = settled("no-one", "Write it.");
    JsonNode started = harness.events(admission.conversation()).get(1);
    assertEquals("{\"kind\":\"system\"}", started.path("author").toString());
    assertTrue(started.path("actor").path("onBehalfOf").isNull(), started::toString);
  }

  @Test
  void eachOffsetThatWasHandedOutReadsTheSameRest() throws Exception {
    Reply admission = settled("offsets", "list it");
    List<JsonNode> all = harness.events(admission.conversation());
    List<String> offsets = new ArrayList<>();
    try (harness.StreamReader stream = harness.stream(admission.conversation())) {
      stream.until(frame -> frame.is("submission-settled")).stream()
          .filter(frame -> !frame.id().isEmpty())
          .forEach(frame -> offsets.add(frame.id()));
    }
    assertEquals(all.size(), offsets.size());
    assertEquals(
        all,
        harness.get(admission.conversation() + "?offset=" + admission.text("offset")).elements());
    for (int i = 0; i < offsets.size(); i++) {
      Reply rest = harness.get(admission.conversation() + "?view=updates&offset=" + offsets.get(i));
      assertEquals(all.subList(i + 1, all.size()), rest.ok().elements());
      assertEquals(offsets.getLast(), rest.header("stream-next-offset"));
      assertEquals("true", rest.header("stream-up-to-date"));
    }
  }

  @Test
  void theOffsetOfAnAdmissionShowsItsSubmissionAndNothingBefore() {
    settled("behind", "one");
    Reply second = harness.post("/turns", Bodies.continued("behind", "two"));
    String id = second.ok().text("submissionId");
    JsonNode first =
        harness
            .get(second.conversation() + "?offset=" + second.text("offset"))
            .elements()
            .getFirst();
    assertEquals("submission-admitted", first.path("type").asText());
    assertEquals(id, first.path("submissionId").asText());
  }

  @Test
  void aLongPollReturnsWhenAnEventLands() {
    Reply admission = settled("poll", "one");
    String end = harness.get(admission.conversation()).header("stream-next-offset");
    CompletableFuture<Reply> parked =
        harness.sendAsync("GET", admission.conversation() + "?live=long-poll&offset=" + end, "");
    Reply second = harness.post("/turns", Bodies.continued("poll", "two"));
    Reply told = parked.join();
    if (told.status() == 204) {
      told = harness.get(admission.conversation() + "?live=long-poll&offset=" + end);
    }
    assertEquals(
        second.ok().text("submissionId"),
        told.ok().elements().getFirst().path("submissionId").asText());
    assertNotEquals(end, told.header("stream-next-offset"));
  }

  @Test
  void aLongPollWhereNothingLandsIsAnsweredEmptyWithTheSameHeaders() {
    Reply admission = settled("quiet", "one");
    String end = harness.get(admission.conversation()).header("stream-next-offset");
    Reply quiet = harness.get(admission.conversation() + "?offset=" + end + "&live=long-poll");
    assertEquals(204, quiet.status(), quiet::toString);
    assertEquals(end, quiet.header("stream-next-offset"));
    assertEquals("true", quiet.header("stream-up-to-date"));
  }

  @Test
  void aLongPollBehindTheEndIsAnsweredAtOnce() {
    Reply admission = settled("at-once", "one");
    Reply all = harness.get(admission.conversation() + "?live=long-poll");
    assertEquals("submission-settled", types(all.ok().elements()).getLast());
  }

  @Test
  void historyShowsWhatWasSaidHowItEndedAndWhatWaits() throws Exception {
    ObjectNode body = Bodies.continued("history", "list it");
    body.putObject("author").put("kind", "user").put("id", "alice");
    Reply first = harness.post("/turns", body);
    Reply second = harness.post("/turns", Bodies.continued("history", "Wait for gate-7."));
    Reply third = harness.post("/turns", Bodies.continued("history", "Write it."));
    while (!harness
            .get(first.conversation() + "?view=history")
            .json()
            .path("queue")
            .path(0)
            .path("submissionId")
            .asText()
            .equals(second.text("submissionId"))
        || harness.get(first.conversation() + "?view=history").json().path("messages").size() < 5) {
      Thread.onSpinWait();
    }
    Reply reply = harness.get(first.conversation() + "?view=history");
    JsonNode history = reply.ok().json();
    assertEquals(1, history.path("v").asInt());
    assertEquals("history/task/coder", history.path("conversationId").asText());
    assertEquals(0, history.path("epoch").asInt());
    String alice = "{\"kind\":\"user\",\"id\":\"alice\"}";
    assertEquals(alice, history.path("owner").toString());
    assertEquals(
        List.of("list it", "I look.", "I looked.", "Wait for gate-7.", "Before. "),
        history.path("messages").findValuesAsText("text"));
    assertEquals(
        List.of("user", "assistant", "assistant", "user", "assistant"),
        history.path("messages").findValuesAsText("role"));
    assertEquals(alice, history.path("messages").get(0).path("author").toString());
    assertEquals(1, history.path("settlements").size());
    assertEquals("completed", history.path("settlements").get(0).path("outcome").asText());
    assertEquals(
        first.text("submissionId"),
        history.path("settlements").get(0).path("submissionId").asText());
    assertEquals(
        "[{\"submissionId\":\""
            + second.text("submissionId")
            + "\",\"author\":{\"kind\":\"system\"},\"state\":\"running\"},{\"submissionId\":\""
            + third.text("submissionId")
            + "\",\"author\":{\"kind\":\"system\"},\"state\":\"queued\"}]",
        history.path("queue").toString());
    assertEquals(
        List.of(),
        harness
            .get(first.conversation() + "?offset=" + history.path("offset").asText())
            .elements());
    harness.open("gate-7");
  }

  @Test
  void headTellsWhetherAConversationIsHeldAndNothingElse() throws Exception {
    Reply admission = settled("head", "one");
    try (RawConnection connection = harness.connect()) {
      for (int i = 0; i < 2; i++) {
        Reply held = connection.exchange("HEAD", admission.conversation(), "");
        assertEquals(200, held.status(), held::toString);
        Reply unknown = connection.exchange("HEAD", "/agents/coder/unknown", "");
        assertEquals(404, unknown.status(), unknown::toString);
        assertEquals(200, connection.exchange("GET", admission.conversation(), "").status());
      }
    }
  }

  @Test
  void aHistoryIsWholeForWhoeverClosesTheConnectionBehindIt() throws Exception {
    Reply admission = settled("closing", "x");
    try (RawConnection connection = harness.connect()) {
      Reply history =
          connection.exchange(
              "GET", admission.conversation() + "?view=history", "", "Connection", "close");
      assertEquals(200, history.status());
      assertEquals(1, history.json().path("settlements").size());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "?view=updates",
        "?view=history",
        "?live=long-poll",
        "?offset=aaaaaaaaaaaaaaaa-0",
        "?offset=garbage",
        "?view=updates&offset=aaaaaaaaaaaaaaaa-0&live=long-poll"
      })
  void anUnknownConversationIsNotFoundInAnyView(String query) throws Exception {
    Reply reply = harness.get("/agents/coder/unknown" + query);
    assertEquals(404, reply.status(), reply::toString);
    assertTrue(reply.error().contains("unknown"), reply.error());
    assertEquals(404, harness.send("HEAD", "/agents/coder/unknown" + query, "").status());
    try (harness.StreamReader stream = harness.stream("/agents/coder/unknown" + query)) {
      assertEquals(404, stream.status());
      assertEquals("application/json", stream.header("content-type"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"garbage", "", "0", "-1", "%00", "x-99999999999999999999", "A-1", "a-b-1"})
  void anOffsetThatIsNoneIsRefused(String offset) {
    Reply admission = settled("garbage", "one");
    Reply reply = harness.get(admission.conversation() + "?offset=" + offset);
    assertEquals(400, reply.status(), reply::toString);
    assertEquals("offset", reply.field());
    Reply resumed =
        harness.get(
            admission.conversation(), "Accept", "text/event-stream", "Last-Event-ID", "x y");
    assertEquals(400, resumed.status(), resumed::toString);
  }

  @Test
  void anOffsetPastTheEndIsRefusedAndOneOfAnotherConversationIsNotFound() {
    Reply admission = settled("future", "one");
    String end = harness.get(admission.conversation()).header("stream-next-offset");
    String life = end.substring(0, end.indexOf('-') + 1);
    Reply future = harness.get(admission.conversation() + "?offset=" + life + "1000");
    assertEquals(400, future.status(), future::toString);
    assertEquals("offset", future.field());
    assertEquals(
        400,
        harness.get(admission.conversation() + "?offset=" + life + "999999999999999999").status());

    Reply other = settled("foreign", "one");
    Reply foreign = harness.get(other.conversation() + "?offset=" + end);
    assertEquals(404, foreign.status(), foreign::toString);
  }

  @ParameterizedTest
  @ValueSource(strings = {"?view=all", "?view=", "?live=now", "?live="})
  void aViewThatIsNoneIsRefusedWithWhatThereIs(String query) {
    Reply admission = settled("views", "one");
    Reply reply = harness.get(admission.conversation() + query);
    assertEquals(400, reply.status(), reply::toString);
    assertTrue(
        reply.error().contains("history") || reply.error().contains("long-poll"), reply.error());
  }
}
