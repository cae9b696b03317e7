package harness.store;

import harness.agent.Address;
import harness.agent.Instance;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A store that does what another one does, but for what is overridden. */
public abstract class StoreProxy implements EventStore {
  protected final EventStore store;

  protected StoreProxy(EventStore store) {
    this.store = store;
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
    return store.opening(instance);
  }

  @Override
  public List<StoredEvent> read(Instance instance, long from, int atMost) {
    return store.read(instance, from, atMost);
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
  public long faultsEnd() {
    return store.faultsEnd();
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
