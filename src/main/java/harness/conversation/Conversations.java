package harness.conversation;

import harness.agent.Instance;
import harness.author.Actor;
import harness.author.Decision;
import harness.fault.Refusal;
import harness.fault.RefusedException;
import harness.store.CorruptEventException;
import harness.store.EventStore;
import harness.store.Held;
import harness.store.StoreUnableException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * All conversations: those that something happens to are awake, one {@link Conversation} each; the
 * others are in the store alone.
 */
public final class Conversations {
  private static final System.Logger LOG = System.getLogger(Conversations.class.getName());

  /** How long a request that frees conversations waits until what they left running has ended. */
  private static final Duration MAX_ENDING = Duration.ofSeconds(10);

  private final EventStore store;
  private final InstantSource clock;
  private final RandomGenerator random;
  private final Dispatch dispatch;
  private final EventListener listener;
  private final Folds folds = new Folds();
  private final Transcripts transcripts = new Transcripts();
  private final Map<Instance, Conversation> awake = new ConcurrentHashMap<>();

  public Conversations(
      EventStore store,
      InstantSource clock,
      RandomGenerator random,
      Tasks tasks,
      Limits limits,
      Turns turns) {
    this(store, clock, random, tasks, limits, turns, (_, _) -> {});
  }

  /**
   * @param listener hears what is stored
   */
  public Conversations(
      EventStore store,
      InstantSource clock,
      RandomGenerator random,
      Tasks tasks,
      Limits limits,
      Turns turns,
      EventListener listener) {
    this.listener = listener;
    this.store = store;
    this.clock = clock;
    this.random = random;
    this.dispatch = new Dispatch(limits, tasks, turns, new FaultFeed(store, tasks));
  }

  /**
   * Settles what the last process left in its middle and queues what had not begun. Call it once,
   * before anything is admitted.
   */
  public void recover() {
    for (Held held : store.unsettled()) {
      awake.computeIfAbsent(held.instance(), this::sleeping).recovery().recover(held.unsettled());
    }
  }

  /** The conversation, awake; one that is not held is held once something was admitted to it. */
  public Conversation open(Instance instance) {
    Conversation conversation = awake.computeIfAbsent(instance, this::sleeping);
    conversation.recovery().ready();
    return conversation;
  }

  private Conversation sleeping(Instance instance) {
    Log log =
        new Log(instance, () -> Names.random(random), store, clock, folds, transcripts, listener);
    return new Conversation(log, dispatch, one -> awake.remove(instance, one));
  }

  /** What the store knows of it; empty where it is not held. */
  public Optional<Held> find(Instance instance) {
    return store.find(instance);
  }

  /** Its events in order, from one on, as many as {@link EventStore#read} gives. */
  public List<Recorded> read(Instance instance, long from, int atMost) {
    try {
      return store.read(instance, from, atMost).stream().map(EventCodec::decode).toList();
    } catch (CorruptEventException e) {
      // So that the next Turn that continues it looks at all of it, and begins a new one.
      folds.forget(instance);
      Optional.ofNullable(awake.get(instance)).ifPresent(Conversation::doubt);
      transcripts.forget(instance);
      throw e;
    }
  }

  /**
   * Its events from an offset on, as many as {@link EventStore#read} gives.
   *
   * @throws RefusedException where that life of it is over
   */
  public List<Recorded> read(Instance instance, Offset from, int atMost) {
    Optional<List<Recorded>> recent =
        Optional.ofNullable(awake.get(instance))
            .flatMap(one -> one.recent(from.life(), from.sequence(), atMost));
    if (recent.isPresent()) {
      return recent.get();
    }
    List<Recorded> read = read(instance, from.sequence(), atMost);
    // What was read may be of a later life: its offsets would then change their meaning.
    if (!find(instance).map(Held::life).equals(Optional.of(from.life()))) {
      throw notHeld(instance);
    }
    return read;
  }

  /**
   * The Submission that the event at a place admitted.
   *
   * @throws RefusedException where the conversation was freed meanwhile
   */
  public Submission submission(Instance instance, long sequence) {
    Event event =
        read(instance, sequence, 1).stream()
            .findFirst()
            .orElseThrow(() -> notHeld(instance))
            .event();
    if (event instanceof Event.SubmissionAdmitted admitted) {
      return admitted.submission();
    }
    throw new IllegalStateException("event " + sequence + " of " + instance + " admits nothing");
  }

  /** Every fault, in order. */
  public FaultFeed faults() {
    return dispatch.faults();
  }

  /**
   * An ear at the conversation.
   *
   * @param deltas whether it hears replies as they stream in
   */
  public Subscription subscribe(Instance instance, boolean deltas) {
    while (true) {
      Optional<Subscription> heard = open(instance).subscribe(deltas);
      if (heard.isPresent()) {
        return heard.get();
      }
    }
  }

  /**
   * Ends what runs and what is queued.
   *
   * @return whether there was anything to end
   * @throws RefusedException where it is not held
   */
  public boolean abort(Instance instance) {
    return awake(instance, one -> one.sweep().abort());
  }

  /**
   * Answers the call that a conversation's Turn waits for.
   *
   * @return whether it waits for that
   * @throws RefusedException where it is not held
   */
  public boolean answer(
      Instance instance, String callId, Decision decision, Optional<String> note, Actor author) {
    return awake(instance, one -> one.waits().answer(callId, decision, note, author));
  }

  /**
   * Resolves a proposal of a conversation; one that is being resolved is not open.
   *
   * @param resolution what is recorded; it may change files, and refuse
   * @return whether it was open
   * @throws RefusedException where the conversation is not held
   */
  public boolean resolve(
      Instance instance, String callId, Function<Authorship, Event.ProposalResolved> resolution) {
    return awake(instance, one -> one.waits().resolve(callId, resolution));
  }

  /**
   * What waits for an answer in a conversation.
   *
   * @throws RefusedException where it is not held
   */
  public Waiting waiting(Instance instance) {
    Waits.Open open = awake(instance, one -> one.waits().open());
    List<Event.Proposed> proposals = new ArrayList<>();
    for (long sequence : open.proposals()) {
      for (Recorded recorded : read(instance, sequence, 1)) {
        if (recorded.event() instanceof Event.Proposed proposed) {
          proposals.add(proposed);
        }
      }
    }
    return new Waiting(open.owner(), open.paused(), proposals);
  }

  /** Whom a conversation belongs to; empty where it is not held, or was freed meanwhile. */
  public Optional<Actor> owner(Instance instance) {
    return store.find(instance).flatMap(_ -> awakened(instance, one -> one.waits().open()).owner());
  }

  /**
   * What waits for an answer.
   *
   * @param owner whom the conversation belongs to
   * @param paused the call that its Turn waits for
   * @param proposals the changes that are open, in order
   */
  public record Waiting(
      Optional<Actor> owner, Optional<String> paused, List<Event.Proposed> proposals) {
    public Waiting {
      proposals = List.copyOf(proposals);
    }
  }

  private <T> T awake(Instance instance, Function<Conversation, Optional<T>> does) {
    if (store.find(instance).isEmpty()) {
      throw notHeld(instance);
    }
    return awakened(instance, does);
  }

  private <T> T awakened(Instance instance, Function<Conversation, Optional<T>> does) {
    while (true) {
      Optional<T> done = does.apply(open(instance));
      if (done.isPresent()) {
        return done.get();
      }
    }
  }

  public static RefusedException notHeld(Instance instance) {
    return new RefusedException(
        new Refusal.NotHeld(
            "no conversation "
                + instance.id()
                + " of agent "
                + instance.agent()
                + " is held; admit a Turn to begin it"));
  }

  /**
   * Removes what nobody needs, and ends what it left running, side by side: what has not ended
   * after 10 s goes on being ended when this has returned.
   *
   * @param live what is needed
   * @param grace how long a conversation must have been untouched
   * @return how many were removed
   */
  public int free(Set<Instance> live, Duration grace) {
    Instant now = clock.instant();
    Set<Instance> needed = new HashSet<>(live);
    awake.forEach(
        (instance, conversation) -> {
          if (!conversation.idle()) {
            needed.add(instance);
          }
        });
    List<Instance> freed = store.free(needed, now.minus(grace), now);
    SideBySide.run(dispatch.tasks(), "freeing", freed, MAX_ENDING, this::end);
    return freed.size();
  }

  private void end(Instance freed) {
    try {
      while (!awake.computeIfAbsent(freed, this::sleeping).freed()) {
        // It went to sleep meanwhile.
      }
    } catch (StoreUnableException e) {
      LOG.log(Level.WARNING, "what the freed " + freed + " left running goes on", e);
    }
  }

  /**
   * Waits until nothing is unsettled, at most for the time; then no Turn starts any more and
   * readers are told to go.
   *
   * @return whether nothing was left
   */
  public boolean drain(Duration atMost) throws InterruptedException {
    boolean quiet = dispatch.awaitQuiet(atMost);
    stop();
    return quiet;
  }

  /** Leaves what runs as a crash would: no Turn goes on or starts, and readers are told to go. */
  public void stop() {
    dispatch.stop();
    awake.values().forEach(Conversation::abandon);
  }

  /**
   * How much there is to do.
   *
   * @param live Turns that run
   * @param queued Submissions that wait
   */
  public record Load(int live, int queued) {}

  public Load load() {
    return dispatch.load();
  }

  /** How many are in memory. */
  int awake() {
    return awake.size();
  }
}
