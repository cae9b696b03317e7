package harness.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.Bodies;
import harness.RawConnection;
import harness.Reply;
import harness.TestHarness;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A Harness that ends admits nothing more and lets what it admitted finish. */
@Timeout(120)
class DrainTest {
  private TestHarness harness;
  private Reply live;
  private Reply queued;

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    harness = TestHarness.start(directory);
    live = harness.post("/turns", Bodies.continued("run", "Wait for gate-1."));
    queued = harness.post("/turns", Bodies.continued("run", "Write it."));
    harness.awaitStarted(live);
  }

  @AfterEach
  void stop() {
    harness.close();
  }

  /** Drains, and returns once admissions are refused. */
  private CompletableFuture<Void> drain(Duration atMost) {
    CompletableFuture<Void> ended = harness.drain(atMost);
    while (harness.send("POST", "/turns", "no JSON").status() != 503) {
      Thread.onSpinWait();
    }
    return ended;
  }

  private String outcome(Reply admission) {
    return harness.awaitSettled(admission).path("outcome").asText();
  }

  @Test
  void admissionsAreRefusedWhileATurnFinishesAndThenItEnds() throws Exception {
    CompletableFuture<Void> ended = drain(Duration.ofMinutes(1));
    for (Reply refused :
        new Reply[] {
          harness.post("/turns", Bodies.turn("other", "Write it.")),
          harness.post("/agents/coder/mine", Bodies.submission("Write it.")),
          harness.send("POST", "/turns", "no JSON"),
        }) {
      assertEquals(503, refused.status(), refused::toString);
      assertTrue(refused.error().contains("ending"), refused.error());
      assertTrue(Integer.parseInt(refused.header("retry-after")) > 0, refused::toString);
      assertEquals("close", refused.header("connection"));
    }
    assertEquals(404, harness.get("/agents/coder/mine").status());
    assertEquals(200, harness.get("/health/ready").status());
    assertEquals(200, harness.get(live.conversation() + "?view=history").status());
    assertFalse(ended.isDone());

    harness.open("gate-1");
    assertEquals("completed", outcome(live));
    assertEquals("completed", outcome(queued));
    ended.get(60, TimeUnit.SECONDS);
  }

  @Test
  void theConnectionIsClosedAndNothingBehindTheRefusalIsRead() throws Exception {
    CompletableFuture<Void> ended = drain(Duration.ofMinutes(1));
    try (RawConnection connection = harness.connect()) {
      String request =
          connection.request("POST", "/turns", Bodies.turn("other", "Write it.").toString());
      connection.send(request + request);
      assertEquals(503, connection.read("POST").status());
      assertTrue(connection.awaitClosed());
    }
    harness.open("gate-1");
    ended.get(60, TimeUnit.SECONDS);
  }

  @Test
  void anAbortIsTakenWhileItDrains() throws Exception {
    CompletableFuture<Void> ended = drain(Duration.ofMinutes(1));
    harness.send("POST", live.conversation() + "/abort", "").ok();
    ended.get(60, TimeUnit.SECONDS);
    assertEquals("aborted", outcome(live));
  }

  @Test
  void whatDoesNotFinishInTimeIsLeftAsACrashLeavesIt() throws Exception {
    harness.drain(Duration.ofMillis(1)).get(60, TimeUnit.SECONDS);
    harness.open("gate-1");
    harness.restart();
    assertEquals(
        "harness_restarted", harness.awaitSettled(live).path("error").path("type").asText());
    assertEquals("completed", outcome(queued));
  }

  @Test
  void readersAreToldToGo() throws Exception {
    String offset = offset();
    CompletableFuture<Reply> parked =
        harness.sendAsync("GET", live.conversation() + "?live=long-poll&offset=" + offset, "");
    try (harness.StreamReader stream = harness.stream(live.conversation())) {
      stream.until(frame -> frame.is("tool-returned"));
      harness.drain(Duration.ofMillis(1)).get(60, TimeUnit.SECONDS);
      while (stream.next().isPresent()) {
        Thread.onSpinWait();
      }
    }
    // Sooner than the poll would have ended by itself.
    assertEquals(204, parked.get(20, TimeUnit.SECONDS).status(), () -> parked.join().toString());
    assertEquals(offset, parked.join().header("stream-next-offset"));
  }

  private String offset() {
    harness.await(live.conversation(), "tool-returned", "outcome", "ok");
    return harness.get(live.conversation()).header("stream-next-offset");
  }
}
