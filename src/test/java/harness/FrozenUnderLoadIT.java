package harness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The built program is frozen and goes on, again and again, while clients admit and read. */
@Timeout(180)
class FrozenUnderLoadIT {
  private static final int FREEZES = 5;
  private static final int MOST_FROZEN_MILLIS = 500;

  @TempDir Path directory;

  @Test
  void clientsNoticeNothingButTheWait() throws Exception {
    Random random = new Random(Seed.get(FrozenUnderLoadIT.class));
    Site site = Site.make(directory, Load.SCRIPT, "queue: 1000", "live-turns: 3");
    Ledger ledger = new Ledger();
    try (Child child = Child.start(site.configuration());
        Caller caller = new Caller(child.listens())) {
      Load load = Load.start(child, caller, ledger, "run", "key", random);
      load.awaitAnswers(1);
      String id = ledger.byConversation().keySet().iterator().next();
      CompletableFuture<Set<String>> streamed = stream(caller, id);
      for (int freeze = 0; freeze < FREEZES; freeze++) {
        load.awaitAnswers(10);
        child.signal("STOP");
        child.awaitFrozen();
        boolean _ = child.endsWithin(Duration.ofMillis(random.nextInt(MOST_FROZEN_MILLIS)));
        child.signal("CONT");
      }
      load.awaitAnswers(10);
      load.stop();
      ledger.sendUnansweredAgain(caller);
      ledger.assertAllRemembered(caller);
      System.out.println(FREEZES + " times frozen: " + Verdict.on(caller, ledger, 0));

      List<JsonNode> events = caller.until(id, _ -> true);
      child.signal("TERM");
      assertEquals(0, child.awaitExit(), () -> "" + child.err());
      assertEquals(events.size(), streamed.get(60, TimeUnit.SECONDS).size());
    }
  }

  /** Reads a stream to its end, which comes when the process ends; never connects anew. */
  private static CompletableFuture<Set<String>> stream(Caller caller, String id) {
    CompletableFuture<Set<String>> ids = new CompletableFuture<>();
    Thread _ =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    ids.complete(caller.streamed(id, Integer.MAX_VALUE));
                  } catch (Exception e) {
                    ids.completeExceptionally(e);
                  }
                });
    return ids;
  }
}
