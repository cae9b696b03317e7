package harness.conversation;

import static harness.conversation.Stage.CODER;
import static org.junit.jupiter.api.Assertions.assertEquals;

import harness.agent.Instance;
import harness.agent.InstanceId;
import harness.store.CountingEventStore;
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
}
