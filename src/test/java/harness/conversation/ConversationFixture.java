package harness.conversation;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import harness.conversation.Stage.Gate;
import harness.conversation.Turns.Ending;
import harness.fault.Fault;
import harness.fault.FaultClass;
import harness.model.Usage;
import harness.store.InMemoryEventStore;

/** A stage, and what the Turns on it are told to do. */
abstract class ConversationFixture {
  final InMemoryEventStore store = new InMemoryEventStore();
  final Stage stage = new Stage(store, new Limits(16, 64, 4096));
  final Gate started = new Gate();
  final Gate go = new Gate();

  static Ending fault(FaultClass faultClass) {
    return new Ending(Settlement.failed(new Fault(faultClass, "because")), Usage.NONE);
  }

  Ending waits(Attempt attempt) throws InterruptedException {
    started.open();
    go.await();
    return new Ending(new Settlement.Completed(), Usage.NONE);
  }

  static Event called(Attempt attempt, String callId) {
    return new Event.ToolCalled(
        attempt.submission().submissionId(),
        callId,
        "write",
        JsonNodeFactory.instance.objectNode(),
        attempt.actor());
  }
}
