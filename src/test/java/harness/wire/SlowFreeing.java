package harness.wire;

import harness.agent.Instance;
import harness.store.EventStore;
import harness.store.StoreProxy;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** A store that lets a test do something between its freeing and the answer. */
final class SlowFreeing extends StoreProxy {
  private final AtomicReference<Runnable> after = new AtomicReference<>(() -> {});

  SlowFreeing(EventStore store) {
    super(store);
  }

  /** What is done once, when conversations were freed and nobody knows yet. */
  void afterFreeing(Runnable action) {
    after.set(action);
  }

  @Override
  public List<Instance> free(Set<Instance> live, Instant before, Instant now) {
    List<Instance> freed = store.free(live, before, now);
    after.getAndSet(() -> {}).run();
    return freed;
  }
}
