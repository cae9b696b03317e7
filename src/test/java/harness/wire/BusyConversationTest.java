package harness.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.Bodies;
import harness.Reply;
import harness.TestHarness;
import harness.TestSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Callers that admit, burn, abort, read and free one conversation at the same time. {@code
 * -Dharness.seed=N} gives each caller the same requests again.
 */
@Timeout(120)
class BusyConversationTest {
  private static final int CALLERS = 8;
  private static final int REQUESTS = 200;
  private static final String CONVERSATION = "/agents/coder/run%2Ftask%2Fcoder";

  @Test
  void noCallerMeetsAFaultOfTheServerAndTheConversationGoesOn(@TempDir Path directory)
      throws Exception {
    long seed =
        Optional.ofNullable(Long.getLong("harness.seed")).orElseGet(() -> new Random().nextLong());
    System.out.println("BusyConversationTest: -Dharness.seed=" + seed);
    try (TestHarness harness = TestSettings.in(directory).freeAfter(Duration.ZERO).start();
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all =
          IntStream.range(0, CALLERS)
              .<Future<?>>mapToObj(
                  caller -> callers.submit(() -> call(harness, new Random(seed + caller))))
              .toList();
      for (Future<?> one : all) {
        one.get();
      }
      Reply behind = harness.post("/turns", Bodies.continued("run", "Write it."));
      harness.awaitSettled(behind);
      Reply last = harness.post("/turns", Bodies.continued("run", "Write it."));
      assertEquals("0", last.ok().text("ahead"), "what was behind a fault settled with it");
      assertEquals("completed", harness.awaitSettled(last).path("outcome").asText());
    }
  }

  /** One that is freed while it is written breaks off, so that its reader knows; then once more. */
  private static Reply history(TestHarness harness) {
    while (true) {
      try {
        return harness.get(CONVERSATION + "?view=history");
      } catch (IllegalStateException brokenOff) {
        assertInstanceOf(IOException.class, brokenOff.getCause());
      }
    }
  }

  private static void call(TestHarness harness, Random random) {
    for (int i = 0; i < REQUESTS; i++) {
      Reply reply =
          switch (random.nextInt(8)) {
            case 0, 1 -> harness.post("/turns", Bodies.continued("run", "list it"));
            case 2 -> harness.post("/turns", Bodies.continued("run", "Meet a fault."));
            case 3 -> harness.post(CONVERSATION, Bodies.submission("Write it."));
            case 4 -> harness.send("POST", CONVERSATION + "/abort", "");
            case 5 -> harness.send("PUT", "/agents", "{\"live\":[]}");
            case 6 -> harness.get(CONVERSATION);
            default -> history(harness);
          };
      assertTrue(reply.status() < 500, reply::toString);
    }
  }
}
