package harness.conversation;

import harness.agent.Instance;
import harness.store.Append;
import harness.store.Appended;
import harness.store.Claim;
import harness.store.EventStore;
import harness.store.Opening;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * One conversation's events and their fold: what is appended is stored first, then folded. Guarded
 * by the conversation's lock.
 */
final class Log {
  /** How many events are read from the store at once. */
  private static final int PAGE_EVENTS = 256;

  private final Instance instance;
  private String life;
  private final EventStore store;
  private final InstantSource clock;
  private ConversationState state = ConversationState.NEW;

  /**
   * @param life the name of its life, if it is not held yet
   */
  Log(Instance instance, String life, EventStore store, InstantSource clock) {
    this.instance = instance;
    this.life = life;
    this.store = store;
    this.clock = clock;
  }

  Instance instance() {
    return instance;
  }

  String life() {
    return life;
  }

  ConversationState state() {
    return state;
  }

  /** Whether the store holds this life of it. */
  boolean isHeld() {
    return store.find(instance).filter(held -> held.life().equals(life)).isPresent();
  }

  /** Reads all events anew and folds them. */
  void load() {
    Opening opening = store.opening(instance);
    if (opening.held().isEmpty()) {
      state = ConversationState.after(opening.lastFault().map(EventCodec::decodeReport));
      return;
    }
    life = opening.held().get().life();
    ConversationState folded = ConversationState.NEW;
    for (List<Recorded> page = read(0, PAGE_EVENTS);
        !page.isEmpty();
        page = read(folded.events(), PAGE_EVENTS)) {
      for (Recorded one : page) {
        folded = folded.apply(one.event());
      }
    }
    state = folded;
  }

  Transcript transcript() {
    Transcript transcript = new Transcript();
    long next = 0;
    while (next < state.events()) {
      List<Recorded> page = read(next, PAGE_EVENTS);
      if (page.isEmpty()) {
        throw new IllegalStateException("event " + next + " of " + instance + " is not held");
      }
      page.forEach(one -> transcript.apply(one.event()));
      next += page.size();
    }
    return transcript;
  }

  List<Recorded> read(long from, int atMost) {
    return store.read(instance, from, atMost).stream().map(EventCodec::decode).toList();
  }

  /**
   * Stores the events, then folds them.
   *
   * @return how the store answered; nothing is folded unless they are stored
   */
  Appended append(List<Event> events, List<Claim> claims, List<byte[]> faults) {
    ConversationState next = state;
    List<byte[]> bodies = new ArrayList<>();
    for (Event event : events) {
      next = next.apply(event);
      bodies.add(EventCodec.encode(event));
    }
    Appended answer =
        store.append(
            new Append(
                instance,
                life,
                state.events(),
                clock.instant(),
                bodies,
                claims,
                faults,
                next.unsettled().size()));
    if (answer instanceof Appended.Stored) {
      state = next;
    }
    return answer;
  }
}
