package harness.conversation;

import harness.agent.Instance;
import harness.store.Append;
import harness.store.Appended;
import harness.store.Claim;
import harness.store.CorruptEventException;
import harness.store.EventStore;
import harness.store.Held;
import harness.store.Opening;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One conversation's events and their fold: what is appended is stored first, then folded. Guarded
 * by the conversation's lock.
 */
final class Log {
  /** How many events are read from the store at once. */
  private static final int PAGE_EVENTS = 256;

  private final Instance instance;
  private final Supplier<String> newLife;
  private String life = "";
  private final EventStore store;
  private final InstantSource clock;
  private final Folds folds;
  private final Transcripts transcripts;
  private final EventListener listener;
  private ConversationState state = ConversationState.NEW;
  private boolean lived;
  private Optional<Transcript> following = Optional.empty();
  private volatile Tail tail = Tail.NONE;

  /**
   * @param newLife names its next life, where it is not held
   * @param listener hears what is stored
   */
  Log(
      Instance instance,
      Supplier<String> newLife,
      EventStore store,
      InstantSource clock,
      Folds folds,
      Transcripts transcripts,
      EventListener listener) {
    this.listener = listener;
    this.instance = instance;
    this.newLife = newLife;
    this.store = store;
    this.clock = clock;
    this.folds = folds;
    this.transcripts = transcripts;
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

  /** Whether it is not held, but was once. */
  boolean lived() {
    return lived;
  }

  /** Whether the store holds it. */
  boolean isHeld() {
    return store.find(instance).isPresent();
  }

  /** What was appended last, from one event on; empty where that is not at hand. By any thread. */
  Optional<List<Recorded>> recent(String ofLife, long from, int atMost) {
    return tail.from(ofLife, from, atMost);
  }

  /** Reads the events anew and folds them, as far as their fold was not kept. */
  void load() {
    following = Optional.empty();
    tail = Tail.NONE;
    Opening opening = store.opening(instance);
    while (opening.held().isPresent()) {
      Held held = opening.held().get();
      ConversationState folded = fold(held);
      if (folded.events() > held.events()) {
        // Its row is behind its events, so that every append would be refused.
        throw new CorruptEventException(instance, held.events());
      }
      if (folded.events() == held.events()) {
        lived = false;
        life = held.life();
        state = folded;
        return;
      }
      // It was freed while it was read.
      opening = store.opening(instance);
    }
    life = newLife.get();
    lived = opening.lived();
    state = ConversationState.after(opening.lastFault().map(EventCodec::decodeReport));
  }

  private ConversationState fold(Held held) {
    ConversationState folded = folds.get(instance, held.life()).orElse(ConversationState.NEW);
    while (folded.events() < held.events()) {
      List<Recorded> page = read(folded.events(), PAGE_EVENTS);
      if (page.isEmpty()) {
        break;
      }
      for (Recorded one : page) {
        folded = folded.apply(one.event());
      }
    }
    return folded;
  }

  /** It goes to sleep. */
  void rest() {
    keepTranscript();
    folds.keep(instance, life, state);
  }

  /** What a Turn that begins goes on with; what is appended from now on is followed beside it. */
  Transcript transcript() {
    Optional<Transcripts.Kept> kept = transcripts.take(instance, life);
    Transcript transcript = kept.map(Transcripts.Kept::transcript).orElseGet(Transcript::new);
    long next = kept.map(Transcripts.Kept::events).orElse(0L);
    while (next < state.events()) {
      List<Recorded> page = read(next, PAGE_EVENTS);
      if (page.isEmpty()) {
        throw new IllegalStateException("event " + next + " of " + instance + " is not held");
      }
      page.forEach(one -> transcript.apply(one.event()));
      next += page.size();
    }
    following = Optional.of(transcript);
    return transcript.copy();
  }

  /** No Turn runs: what was followed is for the next one, if that comes soon enough. */
  void keepTranscript() {
    following.ifPresent(one -> transcripts.keep(instance, life, state.events(), one));
    following = Optional.empty();
  }

  /** What is stored turned out to be damaged: the next Turn looks at all of it. */
  void doubt() {
    following = Optional.empty();
    tail = Tail.NONE;
    transcripts.forget(instance);
  }

  List<Recorded> read(long from, int atMost) {
    return store.read(instance, from, atMost).stream().map(EventCodec::decode).toList();
  }

  /** The Submission that the event at a place admitted. */
  Submission submission(long sequence) {
    Recorded one = recent(life, sequence, 1).orElseGet(() -> read(sequence, 1)).getFirst();
    if (one.event() instanceof Event.SubmissionAdmitted admitted) {
      return admitted.submission();
    }
    throw new IllegalStateException("event " + sequence + " of " + instance + " admits nothing");
  }

  /** How long ago an event was stored. */
  Duration since(long sequence) {
    return Duration.between(read(sequence, 1).getFirst().at(), clock.instant());
  }

  /**
   * Stores the events, then folds them.
   *
   * @return how the store answered; nothing is folded unless they are stored
   */
  Appended append(List<Event> events, List<Claim> claims, List<byte[]> faults) {
    ConversationState next = state;
    List<byte[]> bodies = new ArrayList<>();
    Instant at = clock.instant().truncatedTo(ChronoUnit.MICROS);
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
                at,
                bodies,
                claims,
                faults,
                next.unsettled().size()));
    if (answer instanceof Appended.Stored) {
      tail = tail.after(life, state.events(), at, events, bodies);
      state = next;
      following.ifPresent(transcript -> events.forEach(transcript::apply));
      listener.stored(instance, events);
    }
    return answer;
  }
}
