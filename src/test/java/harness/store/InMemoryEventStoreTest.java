package harness.store;

import static harness.store.Appends.append;
import static harness.store.Appends.instance;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class InMemoryEventStoreTest extends EventStoreContract {
  @Override
  EventStore open() {
    return new InMemoryEventStore();
  }

  @Test
  void anAppendThatIsToldToFailStoresNothingAndTheNextOneDoes() {
    InMemoryEventStore memory = new InMemoryEventStore();
    memory.failNextAppends(1);

    assertThrows(StoreUnableException.class, () -> memory.append(append(CODER, 0, "a")));
    assertEquals(Optional.empty(), memory.find(instance(CODER)));
    assertEquals(new Appended.Stored(), memory.append(append(CODER, 0, "a")));
  }
}
