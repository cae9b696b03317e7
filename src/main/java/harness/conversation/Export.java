package harness.conversation;

import harness.agent.Instance;
import harness.store.Held;
import harness.store.StateReader;
import harness.store.StoreUnableException;
import harness.store.StoredEvent;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** One conversation as JSON lines: each event as it is stored, with its place and its time. */
public final class Export {
  private static final int PAGE_EVENTS = 64;

  private Export() {}

  /**
   * Writes it line by line.
   *
   * @return how many lines that were; empty where it is not held
   * @throws harness.store.CorruptEventException at the first event that does not match its checksum
   * @throws StoreUnableException where it was freed meanwhile, or can't be read
   */
  public static Optional<Long> lines(StateReader state, Instance instance, Consumer<String> to) {
    Optional<Held> held = state.find(instance);
    if (held.isEmpty()) {
      return Optional.empty();
    }
    long next = 0;
    while (true) {
      List<StoredEvent> page = state.read(instance, next, PAGE_EVENTS);
      page.forEach(event -> to.accept(EventCodec.line(event)));
      next += page.size();
      if (page.isEmpty()) {
        if (next < held.get().events()
            || !state.find(instance).map(Held::life).equals(held.map(Held::life))) {
          throw new StoreUnableException(
              "conversation "
                  + instance
                  + " was freed while it was read; what was written is a part");
        }
        return Optional.of(next);
      }
    }
  }
}
