package harness.conversation;

import static harness.conversation.Stage.CODER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.agent.Instance;
import harness.agent.InstanceId;
import harness.store.CountingEventStore;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A conversation that nobody asks for costs nothing but its place in the store. */
class HeldCostTest extends ConversationFixture {
  private static final int HELD = 200;

  private final CountingEventStore counting = new CountingEventStore(store);

  @Test
  void aStartReadsWhatIsUnsettledAndNothingElse() throws Exception {
    for (int number = 0; number < HELD; number++) {
      Instance held = new Instance("coder", InstanceId.parse("run-" + number + "/other"));
      stage.admit(held, "s-" + number);
      stage.settled(held, "s-" + number);
    }
    stage.next(this::waits);
    stage.admit(CODER, "s1");
    started.await();
    stage.admit(CODER, "s2");
    int events = stage.events(CODER).size();
    stage.conversations.stop();

    Stage next = new Stage(counting, new Limits(16, 64, 4096));
    next.next(this::waits);
    next.conversations.recover();

    assertEquals(Set.of(CODER), counting.read().keySet());
    assertEquals(1, next.conversations.awake());
    started.await();
    // Once to fold it and once for what its next Turn is to see, which the end of the last one adds
    // to.
    assertEquals(2 * events + 2, counting.read().get(CODER));
    go.open();
    next.settled(CODER, "s2");
  }

  @Test
  void whoeverWakesALongConversationReadsNoneOfItAgain() throws Exception {
    Stage counted = new Stage(counting, new Limits(16, HELD, 4096));
    for (int count = 0; count < HELD; count++) {
      counted.admit(CODER, "s-" + count);
    }
    counted.settled(CODER, "s-" + (HELD - 1));
    awaitAsleep(counted);
    counting.forget();

    for (int count = 0; count < 3; count++) {
      counted.conversations.subscribe(CODER, false).close();
      assertFalse(counted.conversations.abort(CODER));
    }
    assertEquals(0, counted.conversations.awake());
    assertEquals(Map.of(CODER, 0), counting.read());
  }

  @Test
  void aTurnReadsOnlyWhatWasAddedSinceTheLastOneBegan() throws Exception {
    Stage counted = new Stage(counting, new Limits(16, 64, 4096));
    for (int count = 0; count < HELD; count++) {
      counted.admit(CODER, "s-" + count);
      counted.settled(CODER, "s-" + count);
      awaitAsleep(counted);
    }
    counting.forget();

    counted.admit(CODER, "last");
    awaitAsleep(counted);
    // Its Submission, for the model.
    assertEquals(Map.of(CODER, 1), counting.read());
  }

  /** What is settled is asleep a moment later. */
  private static void awaitAsleep(Stage stage) {
    long deadline = System.nanoTime() + Stage.DEADLINE.toNanos();
    while (stage.conversations.awake() > 0) {
      assertTrue(System.nanoTime() < deadline, "it stays awake");
      Thread.onSpinWait();
    }
  }

  @Test
  void whatIsKeptOfOneLifeIsNotTakenForTheNext() throws Exception {
    Stage counted = new Stage(counting, new Limits(16, 64, 4096));
    Place first = counted.admit(CODER, "s1");
    counted.settled(CODER, "s1");
    awaitAsleep(counted);
    assertEquals(1, counted.conversations.free(Set.of(), Duration.ofDays(-1)));

    Place second = counted.admit(CODER, "s2");

    counted.settled(CODER, "s2");
    assertEquals(0, second.offset().sequence());
    assertFalse(second.offset().life().equals(first.offset().life()));
  }
}
