package harness.store;

import harness.agent.Address;
import harness.agent.Instance;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An event store without a disk, for tests of what is built on one. It keeps the port's contract,
 * forgets everything when it goes, and fails where it is told to.
 */
public final class InMemoryEventStore implements EventStore {
  private record KeyName(String scope, String key) {}

  private record EpochName(Address address, int epoch) {}

  private record Owned<T>(Life owner, T value) {}

  /** One life of a conversation; it goes on being an owner of claims and faults once freed. */
  private static final class Life {
    final Instance instance;
    final String name;
    final List<StoredEvent> events = new ArrayList<>();
    int unsettled;
    Instant touched = Instant.EPOCH;
    @Nullable Instant freed;

    Life(Instance instance, String name) {
      this.instance = instance;
      this.name = name;
    }

    boolean freedFor(Duration time, Instant now) {
      return freed != null && !freed.plus(time).isAfter(now);
    }

    Held held() {
      return new Held(instance, name, events.size(), unsettled, touched);
    }
  }

  private final Map<Instance, Life> held = new LinkedHashMap<>();
  private final List<Life> freed = new ArrayList<>();
  private final Map<KeyName, Owned<Claim.Key>> keys = new LinkedHashMap<>();
  private final Map<EpochName, Owned<Claim.Epoch>> epochs = new LinkedHashMap<>();
  private final TreeMap<Long, Owned<byte[]>> faults = new TreeMap<>();
  private final Deque<RuntimeException> failures = new ArrayDeque<>();
  private final Set<Instance> corrupt = new HashSet<>();
  private Runnable beforeRead = () -> {};
  private Runnable beforeAppend = () -> {};
  private int failingOpenings;
  private long places;
  private boolean closed;

  /** The next append that no earlier call has claimed stores nothing and throws this. */
  public synchronized void failNextAppend(RuntimeException failure) {
    failures.add(failure);
  }

  /** The next {@code count} appends store nothing, as on a full disk. */
  public synchronized void failNextAppends(int count) {
    for (int each = 0; each < count; each++) {
      failures.add(new StoreUnableException("memory: there is no space left: make room"));
    }
  }

  /** The next {@code count} conversations that are opened can't be read, as on a bad disk. */
  public synchronized void failNextOpenings(int count) {
    failingOpenings = count;
  }

  /** What happens right before the next append. */
  public synchronized void beforeNextAppend(Runnable what) {
    beforeAppend = what;
  }

  /** What happens right before the next events are read. */
  public synchronized void beforeNextRead(Runnable what) {
    beforeRead = what;
  }

  /** The events of a conversation don't match their checksums any more. */
  public synchronized void corrupt(Instance instance) {
    corrupt.add(instance);
  }

  @Override
  public synchronized Appended append(Append append) {
    checkOpen();
    Runnable before = beforeAppend;
    beforeAppend = () -> {};
    before.run();
    if (!failures.isEmpty()) {
      throw failures.remove();
    }
    for (Claim claim : append.claims()) {
      Optional<Appended> taken = taken(claim);
      if (taken.isPresent()) {
        return taken.get();
      }
    }
    Life life = held.get(append.instance());
    long actual = life == null ? 0 : life.events.size();
    if (actual != append.expected() || (life != null && !life.name.equals(append.life()))) {
      return new Appended.OutOfSequence(actual);
    }
    if (life == null) {
      life = new Life(append.instance(), append.life());
      held.put(append.instance(), life);
    }
    store(append, life);
    return new Appended.Stored();
  }

  private Optional<Appended> taken(Claim claim) {
    return switch (claim) {
      case Claim.Key key -> key(key.scope(), key.key()).map(Appended.KeyTaken::new);
      case Claim.Epoch epoch ->
          epoch(epoch.address())
              .filter(largest -> largest.epoch() >= epoch.epoch())
              .map(Appended.EpochTaken::new);
    };
  }

  private void store(Append append, Life life) {
    Instant at = Micros.at(Micros.of(append.at()));
    for (int index = 0; index < append.events().size(); index++) {
      byte[] body = append.events().get(index).clone();
      life.events.add(new StoredEvent(life.events.size(), index, at, body));
    }
    for (Claim claim : append.claims()) {
      switch (claim) {
        case Claim.Key key -> keys.put(new KeyName(key.scope(), key.key()), new Owned<>(life, key));
        case Claim.Epoch epoch ->
            epochs.put(new EpochName(epoch.address(), epoch.epoch()), new Owned<>(life, epoch));
      }
    }
    for (byte[] fault : append.faults()) {
      faults.put(places++, new Owned<>(life, fault.clone()));
    }
    life.unsettled = append.unsettled();
    life.touched = at;
  }

  @Override
  public synchronized Optional<Held> find(Instance instance) {
    checkOpen();
    return Optional.ofNullable(held.get(instance)).map(Life::held);
  }

  @Override
  public synchronized Opening opening(Instance instance) {
    if (failingOpenings > 0) {
      failingOpenings--;
      throw new StoreUnableException("memory: it can't be read now: try again");
    }
    Optional<Held> found = find(instance);
    Optional<byte[]> lastFault =
        faults.values().stream()
            .filter(fault -> fault.owner().instance.equals(instance))
            .map(Owned::value)
            .reduce((_, later) -> later);
    boolean lived = freed.stream().anyMatch(life -> life.instance.equals(instance));
    return found.isPresent()
        ? new Opening(found, Optional.empty(), false)
        : new Opening(found, lastFault, lived);
  }

  @Override
  public synchronized List<StoredEvent> read(Instance instance, long from, int atMost) {
    checkOpen();
    Runnable first = beforeRead;
    beforeRead = () -> {};
    first.run();
    if (corrupt.contains(instance)) {
      throw new CorruptEventException(instance, from);
    }
    Life life = held.get(instance);
    List<StoredEvent> page = new ArrayList<>();
    long bytes = 0;
    for (long at = from; life != null && at < life.events.size(); at++) {
      if (page.size() == atMost || bytes >= READ_BYTES) {
        break;
      }
      page.add(life.events.get((int) at));
      bytes += page.getLast().body().length;
    }
    return page;
  }

  @Override
  public synchronized Optional<Claim.Key> key(String scope, String key) {
    checkOpen();
    return Optional.ofNullable(keys.get(new KeyName(scope, key))).map(Owned::value);
  }

  @Override
  public synchronized Optional<Claim.Epoch> epoch(Address address) {
    checkOpen();
    return epochs.values().stream()
        .map(Owned::value)
        .filter(claim -> claim.address().equals(address))
        .reduce((one, other) -> one.epoch() > other.epoch() ? one : other);
  }

  @Override
  public synchronized List<Held> unsettled() {
    checkOpen();
    return held.values().stream().filter(life -> life.unsettled > 0).map(Life::held).toList();
  }

  @Override
  public synchronized List<StoredFault> faults(long from, int atMost) {
    checkOpen();
    return faults.tailMap(from).entrySet().stream()
        .limit(atMost)
        .map(fault -> new StoredFault(fault.getKey(), fault.getValue().value()))
        .toList();
  }

  @Override
  public synchronized long faultsEnd() {
    checkOpen();
    return places;
  }

  @Override
  public synchronized List<Instance> free(Set<Instance> live, Instant before, Instant now) {
    checkOpen();
    List<Life> gone =
        held.values().stream()
            .filter(life -> life.unsettled == 0 && life.touched.isBefore(before))
            .filter(life -> !live.contains(life.instance))
            .toList();
    for (Life life : gone) {
      held.remove(life.instance);
      life.events.clear();
      life.freed = now;
      freed.add(life);
    }
    keys.values().removeIf(key -> key.owner().freedFor(KEYS_OUTLIVE, now));
    faults.values().removeIf(fault -> fault.owner().freedFor(FAULTS_OUTLIVE, now));
    epochs.values().removeIf(epoch -> expired(epoch, now));
    freed.removeIf(life -> life.freedFor(EPOCHS_OUTLIVE, now));
    return gone.stream().map(life -> life.instance).toList();
  }

  private boolean expired(Owned<Claim.Epoch> epoch, Instant now) {
    Address address = epoch.value().address();
    return epoch.owner().freedFor(EPOCHS_OUTLIVE, now)
        && held.keySet().stream().noneMatch(instance -> at(address, instance))
        && freed.stream()
            .filter(life -> at(address, life.instance))
            .allMatch(life -> life.freedFor(EPOCHS_OUTLIVE, now));
  }

  private static boolean at(Address address, Instance instance) {
    return Address.generation(instance).address().equals(address);
  }

  private void checkOpen() {
    if (closed) {
      throw new StoreUnableException("memory: the store is closed; start again");
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
  }
}
