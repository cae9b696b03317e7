package harness.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import harness.Bodies;
import harness.Reply;
import harness.TestHarness;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every fault of a Harness can be followed in order, over restarts too. */
@Timeout(120)
class FaultFeedTest {
  private TestHarness harness;

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    harness = TestHarness.start(directory);
  }

  @AfterEach
  void stop() {
    harness.close();
  }

  private Reply fault(String run) {
    Reply reply = harness.post("/turns", Bodies.continued(run, "Meet a fault."));
    harness.awaitSettled(reply);
    return reply;
  }

  private static List<String> instances(Reply page) {
    return page.ok().elements().stream().map(one -> one.path("instanceId").asText()).toList();
  }

  @Test
  void faultsAreShownInOrderAcrossConversationsAndARestart() throws Exception {
    assertEquals(List.of(), instances(harness.get("/faults")));
    Reply first = fault("one");
    fault("two");
    Reply page = harness.get("/faults");
    assertEquals(List.of("one/task/coder", "two/task/coder"), instances(page));
    JsonNode shown = page.elements().getFirst();
    assertEquals("coder", shown.path("agent").asText());
    assertEquals(first.text("submissionId"), shown.path("submissionId").asText());
    assertEquals(
        "{\"class\":\"infra\",\"reason\":\""
            + shown.path("fault").path("reason").asText()
            + "\",\"burned\":true,\"epoch\":{\"from\":0,\"to\":1},\"next\":\"one/task/coder/1\"}",
        shown.path("fault").toString());
    assertEquals("true", page.header("stream-up-to-date"));

    harness.restart();
    fault("three");
    Reply rest = harness.get("/faults?offset=" + page.header("stream-next-offset"));
    assertEquals(List.of("three/task/coder"), instances(rest));
  }

  @Test
  void aBurnIsOneFaultHoweverManyWaitBehindIt() throws Exception {
    Reply first = harness.post("/turns", Bodies.continued("run", "gate-1"));
    harness.awaitStarted(first);
    harness.post("/turns", Bodies.continued("run", "Meet a fault."));
    harness.post("/turns", Bodies.continued("run", "a"));
    Reply last = harness.post("/turns", Bodies.continued("run", "b"));
    harness.open("gate-1");
    JsonNode settled = harness.awaitSettled(last);
    assertEquals("failed", settled.path("outcome").asText());
    assertEquals("run/task/coder/1", settled.path("fault").path("next").asText());
    assertEquals(List.of("run/task/coder"), instances(harness.get("/faults")));
  }

  @Test
  void aLongPollParksUntilAFaultLands() {
    CompletableFuture<Reply> parked =
        harness.sendAsync("GET", "/faults?live=long-poll&offset=0", "");
    fault("run");
    assertEquals(List.of("run/task/coder"), instances(parked.join()));
  }

  @Test
  void aLongPollIsAnsweredWhenTheHarnessEnds() {
    fault("run");
    CompletableFuture<Reply> parked =
        harness.sendAsync("GET", "/faults?live=long-poll&offset=1", "");
    harness.drain(Duration.ofSeconds(10)).join();
    assertEquals(204, parked.join().status());
    assertEquals("1", parked.join().header("stream-next-offset"));
  }

  @Test
  void whatIsNoOffsetIsRefused() {
    for (String offset : List.of("x", "-1", "1.5", "9999999999999999999", "")) {
      Reply refused = harness.get("/faults?offset=" + offset);
      assertEquals(400, refused.status(), refused::toString);
      assertEquals("offset", refused.field());
    }
    assertEquals(405, harness.post("/faults", Bodies.submission("x")).status());
    assertTrue(harness.get("/faults?live=sse").error().contains("long-poll"));
  }
}
