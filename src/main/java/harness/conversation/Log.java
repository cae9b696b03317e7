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
  /** How many events are read from the store at once: each may hold a prompt of a whole body. */
  private static final int PAGE_EVENTS = 64;

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

  /** Whether the store holds it. */
  boolean isHeld() {
    return store.find(instance).isPresent();
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
    for (List<Recorded> page = read(0, PAGE_EVENTS); ; page = read(folded.events(), PAGE_EVENTS)) {
      for (Recorded one : page) {
        folded = folded.apply(one.event());
      }
      if (page.size() < PAGE_EVENTS) {
        break;
      }
    }
    state = folded;
  }

  Transcript transcript() {
    Transcript transcript = new Transcript();
    for (long from = 0; from < state.events(); from += PAGE_EVENTS) {
      read(from, PAGE_EVENTS).forEach(one -> transcript.apply(one.event()));
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
