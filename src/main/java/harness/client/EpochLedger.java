package harness.client;

import harness.api.FaultBody;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * At which epoch the continued conversation of each address is. It only ever rises: by what the
 * Harness says of faults and admissions, and by what its owner declares.
 */
public final class EpochLedger {
  private final Map<String, Entry> entries;
  private String faultsOffset;

  /**
   * What is known of an address.
   *
   * @param begun whether a Turn was admitted at this epoch, so that a conversation is expected
   */
  public record Entry(int epoch, boolean begun) {
    static final Entry NONE = new Entry(0, false);
  }

  /**
   * Plain data to persist.
   *
   * @param faultsOffset how far the feed of faults was read
   * @param entries by Agent and address
   */
  public record Data(String faultsOffset, Map<String, Entry> entries) {
    public static final Data EMPTY = new Data("", Map.of());

    public Data {
      entries = Map.copyOf(entries);
    }
  }

  public EpochLedger(Data data) {
    this.faultsOffset = data.faultsOffset();
    this.entries = new TreeMap<>(data.entries());
  }

  public synchronized Data data() {
    return new Data(faultsOffset, entries);
  }

  public synchronized Entry entry(Address address) {
    return entries.getOrDefault(key(address.agent(), address.base()), Entry.NONE);
  }

  /** Forgets a run that is over. */
  public synchronized void forget(String run) {
    entries.keySet().removeIf(key -> key.substring(key.indexOf(' ') + 1).startsWith(run + "/"));
  }

  synchronized void admitted(Admission admission) {
    if (admission.continues()) {
      Entry entry = new Entry(admission.epoch(), true);
      entries.merge(
          key(admission.address().agent(), admission.address().base()),
          entry,
          (had, now) -> now.epoch() >= had.epoch() ? now : had);
    }
  }

  /** The epoch of an address is over. */
  synchronized void bump(Address address, int epoch) {
    raise(key(address.agent(), address.base()), epoch + 1);
  }

  /** A fault of a conversation; one that burned an epoch of an address bumps it. */
  synchronized void fault(String agent, String instanceId, FaultBody fault) {
    Optional<FaultBody.Bump> bump = fault.epoch();
    if (bump.isPresent()) {
      int from = bump.get().from();
      String suffix = from == 0 ? "" : "/" + from;
      if (instanceId.endsWith(suffix)) {
        String base = instanceId.substring(0, instanceId.length() - suffix.length());
        raise(key(agent, base), bump.get().to());
      }
    }
  }

  private void raise(String key, int epoch) {
    Entry entry = new Entry(epoch, false);
    entries.merge(key, entry, (had, now) -> now.epoch() > had.epoch() ? now : had);
  }

  synchronized String faultsOffset() {
    return faultsOffset;
  }

  synchronized void read(HarnessClient.Faults faults) {
    faults.reports().forEach(one -> fault(one.agent(), one.instanceId(), one.fault()));
    faultsOffset = faults.next();
  }

  /** The feed is another one than was read before; what is known stays. */
  synchronized void readFromStart() {
    faultsOffset = "";
  }

  /** An Agent may be given a conversation that bears the name of another's. */
  private static String key(String agent, String base) {
    return agent + " " + base;
  }
}
