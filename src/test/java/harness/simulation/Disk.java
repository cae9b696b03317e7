package harness.simulation;

import harness.agent.Instance;
import harness.store.Append;
import harness.store.Appended;
import harness.store.CorruptEventException;
import harness.store.InMemoryEventStore;
import harness.store.StoreUnableException;
import harness.store.StoredEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What outlives each process: all that was committed. At a crash each append that was on its way is
 * committed or lost on its own.
 */
final class Disk {
  /** How the disk is. */
  enum Mood {
    WELL,
    /** Commits take long. */
    SLOW,
    /** There is no space: nothing is written. */
    FULL,
    /** Any call may fail. */
    ILL
  }

  private final InMemoryEventStore committed = new InMemoryEventStore();
  private final Chance chance;
  private final Witness witness;
  private final List<Append> underway = new ArrayList<>();

  /** By conversation the event that does not match its checksum, for good. */
  private final Map<Instance, Long> corrupt = new HashMap<>();

  private final Set<Instance> everCorrupt = new HashSet<>();
  private Mood mood = Mood.WELL;

  Disk(Chance chance, Witness witness) {
    this.chance = chance;
    this.witness = witness;
  }

  InMemoryEventStore committed() {
    return committed;
  }

  /** An event of a conversation, which holds some, can't be read any more. */
  void corrupt(Instance instance) {
    corrupt.put(instance, (long) chance.below(committed.read(instance, 0, 10_000).size()));
    everCorrupt.add(instance);
    witness.spoilt(instance);
  }

  boolean isCorrupt(Instance instance) {
    return corrupt.containsKey(instance);
  }

  /** The same of any life of it, whose end a caller may not have heard of. */
  boolean wasCorrupt(Instance instance) {
    return everCorrupt.contains(instance);
  }

  /** Conversations were freed, and what was wrong with them is gone. */
  void freed(List<Instance> gone) {
    gone.forEach(corrupt::remove);
    witness.freed(gone);
  }

  void requireSound(Instance instance, List<StoredEvent> events) {
    Long bad = corrupt.get(instance);
    if (bad != null && events.stream().anyMatch(event -> event.sequence() == bad)) {
      throw new CorruptEventException(instance, bad);
    }
  }

  void become(Mood next) {
    mood = next;
  }

  void begin(Append append) {
    underway.add(append);
  }

  boolean isWriting() {
    return !underway.isEmpty();
  }

  /** Commits an append, or fails. */
  Appended finish(Append append) {
    underway.remove(append);
    boolean fails = mood == Mood.FULL || (mood == Mood.ILL && chance.oneIn(2));
    if (fails) {
      witness.failed(append.instance());
    }
    requireAble(fails);
    return commit(append);
  }

  private Appended commit(Append append) {
    Appended answer = committed.append(append);
    if (answer instanceof Appended.Stored) {
      witness.committed(append);
    }
    return answer;
  }

  /** Of a call that only reads. */
  void requireReadable() {
    requireAble(mood == Mood.ILL && chance.oneIn(3));
  }

  private static void requireAble(boolean fails) {
    if (fails) {
      throw new StoreUnableException("the simulated disk can't: wait until it can");
    }
  }

  Duration delay() {
    return chance.upTo(mood == Mood.SLOW ? Duration.ofSeconds(20) : Duration.ofMillis(4));
  }

  /** The process is no more. */
  void crash() {
    for (Append append : List.copyOf(underway)) {
      if (mood != Mood.FULL && chance.oneIn(2)) {
        commit(append);
      }
    }
    underway.clear();
  }
}
