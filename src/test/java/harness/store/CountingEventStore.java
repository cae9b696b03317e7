package harness.store;

import harness.agent.Instance;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A store that remembers how many events of which conversations were read. */
public final class CountingEventStore extends StoreProxy {
  private final Map<Instance, Integer> read = new ConcurrentHashMap<>();

  public CountingEventStore(EventStore store) {
    super(store);
  }

  /** How many events were read of each conversation that was looked into. */
  public Map<Instance, Integer> read() {
    return Map.copyOf(read);
  }

  /** Begins to count anew. */
  public void forget() {
    read.clear();
  }

  @Override
  public List<StoredEvent> read(Instance instance, long from, int atMost) {
    List<StoredEvent> events = store.read(instance, from, atMost);
    int _ = read.merge(instance, events.size(), Integer::sum);
    return events;
  }

  @Override
  public Opening opening(Instance instance) {
    int _ = read.merge(instance, 0, Integer::sum);
    return store.opening(instance);
  }
}
