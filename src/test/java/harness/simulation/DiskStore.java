package harness.simulation;

import harness.agent.Address;
import harness.agent.Instance;
import harness.store.Append;
import harness.store.Appended;
import harness.store.Claim;
import harness.store.EventStore;
import harness.store.Held;
import harness.store.InMemoryEventStore;
import harness.store.Opening;
import harness.store.StoredEvent;
import harness.store.StoredFault;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** The store as one simulated process has it: each call takes time, and may fail. */
final class DiskStore implements EventStore {
  private final Scheduler scheduler;
  private final Disk disk;

  DiskStore(Scheduler scheduler, Disk disk) {
    this.scheduler = scheduler;
    this.disk = disk;
  }

  @Override
  public Appended append(Append append) {
    scheduler.step();
    disk.begin(append);
    scheduler.pause("for its commit", disk.delay());
    Appended answer = disk.finish(append);
    scheduler.pause("for the word of its commit", disk.delay());
    return answer;
  }

  private <T> T read(Function<InMemoryEventStore, T> question) {
    scheduler.step();
    disk.requireReadable();
    T answer = question.apply(disk.committed());
    scheduler.smallStep();
    return answer;
  }

  @Override
  public Optional<Held> find(Instance instance) {
    return read(store -> store.find(instance));
  }

  @Override
  public Opening opening(Instance instance) {
    return read(store -> store.opening(instance));
  }

  @Override
  public List<StoredEvent> read(Instance instance, long from, int atMost) {
    return read(
        store -> {
          List<StoredEvent> found = store.read(instance, from, atMost);
          disk.requireSound(instance, found);
          return found;
        });
  }

  @Override
  public Optional<Claim.Key> key(String scope, String key) {
    return read(store -> store.key(scope, key));
  }

  @Override
  public Optional<Claim.Epoch> epoch(Address address) {
    return read(store -> store.epoch(address));
  }

  @Override
  public List<Held> unsettled() {
    return read(InMemoryEventStore::unsettled);
  }

  @Override
  public List<StoredFault> faults(long from, int atMost) {
    return read(store -> store.faults(from, atMost));
  }

  @Override
  public long faultsEnd() {
    return read(EventStore::faultsEnd);
  }

  @Override
  public List<Instance> free(Set<Instance> live, Instant before, Instant now) {
    List<Instance> freed =
        read(
            store -> {
              List<Instance> gone = store.free(live, before, now);
              disk.freed(gone);
              return gone;
            });
    scheduler.step();
    return freed;
  }

  @Override
  public void close() {}
}
