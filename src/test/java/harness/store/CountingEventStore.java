package harness.store;

import harness.agent.Address;
import harness.agent.Instance;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A store that remembers how many events of which conversations were read. */
public final class CountingEventStore implements EventStore {
  private final EventStore store;
  private final Map<Instance, Integer> read = new ConcurrentHashMap<>();

  public CountingEventStore(EventStore store) {
    this.store = store;
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
  public Appended append(Append append) {
    return store.append(append);
  }

  @Override
  public Optional<Held> find(Instance instance) {
    return store.find(instance);
  }

  @Override
  public Opening opening(Instance instance) {
    int _ = read.merge(instance, 0, Integer::sum);
    return store.opening(instance);
  }

  @Override
  public Optional<Claim.Key> key(String scope, String key) {
    return store.key(scope, key);
  }

  @Override
  public Optional<Claim.Epoch> epoch(Address address) {
    return store.epoch(address);
  }

  @Override
  public List<Held> unsettled() {
    return store.unsettled();
  }

  @Override
  public List<StoredFault> faults(long from, int atMost) {
    return store.faults(from, atMost);
  }

  @Override
  public List<Instance> free(Set<Instance> live, Instant before, Instant now) {
    return store.free(live, before, now);
  }

  @Override
  public void close() {
    store.close();
  }
}
