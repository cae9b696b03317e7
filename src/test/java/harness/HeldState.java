package harness;

import harness.agent.Instance;
import harness.agent.InstanceId;
import harness.store.Append;
import harness.store.Appended;
import harness.store.EventStore;
import harness.store.SqliteEventStore;
import harness.store.StateReader;
import harness.store.StoredEvent;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A state directory with many conversations in it, each a copy of one that a Harness has really
 * held: its Turns are settled, so that nothing of it is due at a start.
 */
final class HeldState implements AutoCloseable {
  private final EventStore store;
  private final List<byte[]> turn;

  private HeldState(EventStore store, List<byte[]> turn) {
    this.store = store;
    this.turn = turn;
  }

  /**
   * @param model the conversation whose events are copied; no process may own the directory
   */
  static HeldState of(Path state, String model) {
    List<byte[]> turn = new ArrayList<>();
    try (StateReader reader = StateReader.open(state)) {
      for (List<StoredEvent> page = reader.read(instance(model), 0, 100);
          !page.isEmpty();
          page = reader.read(instance(model), turn.size(), 100)) {
        page.forEach(event -> turn.add(event.body()));
      }
    }
    return new HeldState(SqliteEventStore.open(state, _ -> {}), turn);
  }

  /** Adds a conversation that has the Turns of the model again and again. */
  void hold(String id, int times) {
    for (int time = 0; time < times; time++) {
      Appended answer =
          store.append(
              new Append(
                  instance(id),
                  "held",
                  (long) time * turn.size(),
                  Instant.EPOCH,
                  turn,
                  List.of(),
                  List.of(),
                  0));
      if (!(answer instanceof Appended.Stored)) {
        throw new IllegalStateException(id + " was not stored: " + answer);
      }
    }
  }

  /** How many events the model has. */
  int events() {
    return turn.size();
  }

  private static Instance instance(String id) {
    return new Instance("coder", InstanceId.parse(id));
  }

  @Override
  public void close() {
    store.close();
  }
}
