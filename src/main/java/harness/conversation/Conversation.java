package harness.conversation;

import harness.agent.Instance;
import harness.author.Actor;
import harness.fault.Refusal;
import harness.fault.RefusedException;
import harness.store.Appended;
import harness.store.Claim;
import harness.store.StoreUnableException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One conversation that is awake: it has one writer, whoever holds its lock. A Submission runs when
 * it is the first unsettled one and the Turn before it can do nothing any more.
 *
 * <p>Under the same lock, each in a class of its own: what is read and read again ({@link
 * Recovery}), the course of a Turn ({@link Course}), what it waits for ({@link Waits}), and aborts
 * ({@link Sweep}).
 */
public final class Conversation {
  private static final System.Logger LOG = System.getLogger(Conversation.class.getName());

  /** The lock, held until it is closed. */
  interface Hold extends AutoCloseable {
    @Override
    void close();
  }

  private final Lock lock;
  private final Condition toolEnded;
  private final Log log;
  private final Dispatch dispatch;
  private final Readers readers;
  private final Appends appends;
  private final Beginnings beginnings;
  private final Recovery recovery;
  private final Waits waits;
  private final Sweep sweep;
  private final Course course;
  private final Consumer<Conversation> forget;
  private Optional<Attempt> live = Optional.empty();
  private boolean scheduled;
  private boolean asleep;
  private Optional<String> stalled = Optional.empty();

  /**
   * @param forget takes it out of the register of those that are awake
   */
  Conversation(Log log, Dispatch dispatch, Consumer<Conversation> forget) {
    this.log = log;
    this.dispatch = dispatch;
    this.lock = dispatch.tasks().lock();
    this.toolEnded = lock.newCondition();
    this.readers = new Readers(dispatch.tasks());
    this.appends = new Appends(log, dispatch, readers);
    this.beginnings = new Beginnings(log.instance(), dispatch.turns());
    this.waits = new Waits(this, log, dispatch, appends, lock.newCondition());
    this.recovery = new Recovery(this, log, dispatch, appends, waits);
    this.sweep = new Sweep(this, log, dispatch, appends, toolEnded);
    this.course = new Course(this, log, dispatch, appends, beginnings);
    this.forget = forget;
  }

  /** Something of it that is stored turned out to be damaged. */
  void doubt() {
    try (Hold _ = hold()) {
      log.doubt();
    }
  }

  Hold hold() {
    lock.lock();
    return lock::unlock;
  }

  /** The lock for whoever comes from outside; behind them it may go to sleep. */
  Hold visit() {
    lock.lock();
    return () -> {
      try {
        sleepIfQuiet();
      } finally {
        lock.unlock();
      }
    };
  }

  Recovery recovery() {
    return recovery;
  }

  Waits waits() {
    return waits;
  }

  Sweep sweep() {
    return sweep;
  }

  /** The attempt that runs, or whose tools go on. Under the lock. */
  Optional<Attempt> live() {
    return live;
  }

  /** An attempt runs from now on. Under the lock. */
  void live(Attempt attempt) {
    live = Optional.of(attempt);
    scheduled = false;
  }

  /** Whether it went to sleep, so that another one took its place. Under the lock. */
  boolean asleep() {
    return asleep;
  }

  Instance instance() {
    return log.instance();
  }

  long events() {
    try (Hold _ = hold()) {
      return log.state().events();
    }
  }

  /** What it stored last, from an event of a life on, where that is at hand. */
  Optional<List<Recorded>> recent(String life, long from, int atMost) {
    return log.recent(life, from, atMost);
  }

  int proposals() {
    try (Hold _ = hold()) {
      return log.state().proposals().size();
    }
  }

  /**
   * Queues a Submission.
   *
   * @param shape makes the Submission, knowing how the conversation stands; may refuse it
   * @param claims what must be unique, knowing where the Submission comes to stand
   * @param heir whom the address belonged to before, which a new conversation of it keeps
   * @throws RefusedException when a queue is full
   */
  public Admitted admit(
      Function<Standing, Submission> shape,
      Function<Place, List<Claim>> claims,
      Optional<Actor> heir) {
    try (Hold _ = visit()) {
      ConversationState state = log.state();
      if (asleep) {
        return new Admitted.Asleep();
      }
      requireGoing();
      if (state.burn().isPresent()) {
        return new Admitted.Burned(state.burn().get());
      }
      Submission submission =
          shape.apply(
              new Standing(
                  state.authorship().restingOwner().or(() -> heir),
                  state.events() == 0,
                  log.lived()));
      Place place =
          new Place(
              instance(),
              state.events() == 0,
              state.unsettled().size(),
              new Offset(log.life(), state.events()));
      appends.reserve();
      try {
        Appended answer =
            log.append(
                List.of(new Event.SubmissionAdmitted(submission, heir)),
                claims.apply(place),
                List.of());
        return switch (answer) {
          case Appended.Stored _ -> {
            readers.tell(new Subscription.Signal.Landed(log.state().events()));
            promote();
            yield new Admitted.Queued(place);
          }
          case Appended.KeyTaken taken -> new Admitted.KeyTaken(taken.first());
          case Appended.EpochTaken _ -> new Admitted.EpochTaken();
          case Appended.OutOfSequence _ -> {
            leave();
            yield new Admitted.Asleep();
          }
        };
      } finally {
        appends.count();
      }
    }
  }

  /** Whether nothing of an earlier Turn goes on, and nothing is being ended. */
  boolean idle() {
    try (Hold _ = hold()) {
      return !sweep.releasing() && !waits.resolving() && live.map(Attempt::over).orElse(true);
    }
  }

  /** Starts the first unsettled Submission if nothing is in its way. */
  void promote() {
    try (Hold _ = hold()) {
      if (live.map(Attempt::over).orElse(false)) {
        // Who only listens needs no transcript.
        live = Optional.empty();
        log.keepTranscript();
      }
      appends.park();
      if (!scheduled && mayBegin()) {
        scheduled = true;
        dispatch.start("turn " + instance(), course::turn);
      }
    }
  }

  boolean mayBegin() {
    ConversationState state = log.state();
    return !asleep
        && !dispatch.stopped()
        && !state.unsettled().isEmpty()
        && state.pause().isEmpty()
        && idle();
  }

  /** What the store could not take is settled when it can. */
  void setAside(StoreUnableException why, Optional<Attempt> begun) {
    recovery.setAside(why, begun);
  }

  /** Whether no Turn is to be started, because one is about to or the store can't take it. */
  void schedule(boolean on) {
    scheduled = on;
  }

  /** No Turn of it starts any more, and nothing is admitted that would wait for ever. */
  void stall(Throwable why) {
    LOG.log(Level.ERROR, "conversation " + instance() + " is set aside until a restart", why);
    try (Hold _ = hold()) {
      scheduled = true;
      stalled = Optional.of(why.toString());
    }
  }

  void requireGoing() {
    stalled.ifPresent(
        why -> {
          throw new RefusedException(
              new Refusal.StoreUnable(
                  "conversation " + instance().id() + " is set aside until a restart: " + why));
        });
  }

  void append(Attempt attempt, List<Event> events) throws EndedException {
    try (Hold _ = hold()) {
      attempt.requireGoing();
      if (!events.isEmpty()) {
        appends.store(events);
      }
      attempt.forget();
    }
  }

  /** What waits and may ride with the Turn rides from now on. */
  void join(Attempt attempt) throws EndedException {
    try (Hold _ = hold()) {
      attempt.requireGoing();
      List<Beginnings.Rider> riders = beginnings.riders(log.state(), attempt, log::submission);
      if (!riders.isEmpty()) {
        appends.store(riders.stream().flatMap(rider -> rider.events().stream()).toList());
      }
      for (Beginnings.Rider rider : riders) {
        attempt.knows(rider.submission());
        attempt.tell(rider.events());
      }
    }
  }

  void beginTool(Attempt attempt) throws EndedException {
    try (Hold _ = hold()) {
      attempt.requireGoing();
      attempt.changeToolsRunning(1);
    }
  }

  void endTool(Attempt attempt) {
    try (Hold _ = visit()) {
      attempt.changeToolsRunning(-1);
      toolEnded.signalAll();
      promote();
    }
  }

  void tellDelta(String submissionId, String kind, String text) {
    readers.tell(new Subscription.Signal.Delta(submissionId, kind, text));
  }

  void tellOutput(String submissionId, String callId, String text) {
    readers.tell(new Subscription.Signal.Output(submissionId, callId, text));
  }

  /** The process ends: what runs is fenced and left unsettled, and readers are told to go. */
  void abandon() {
    try (Hold _ = hold()) {
      live.ifPresent(Attempt::end);
      readers.tell(new Subscription.Signal.Closing());
    }
  }

  /** Empty when it went to sleep meanwhile. */
  Optional<Subscription> subscribe(boolean deltas) {
    try (Hold _ = hold()) {
      if (asleep) {
        return Optional.empty();
      }
      Subscription ear = readers.subscribe(deltas, log.state().events(), this::readerLeft);
      if (dispatch.stopped()) {
        // It came after the others were told.
        readers.tell(new Subscription.Signal.Closing());
      }
      return Optional.of(ear);
    }
  }

  private void readerLeft() {
    visit().close();
  }

  /** With nothing to do and nobody listening it need not be in memory. */
  void sleepIfQuiet() {
    if (log.state().unsettled().isEmpty() && readers.isEmpty() && !scheduled && idle()) {
      sleep();
    }
  }

  /** It can't be read now: whoever needs it next begins anew. */
  void sleepUnlessScheduled() {
    if (!scheduled) {
      sleep();
    }
  }

  /** Whoever listens is told to go. */
  void close() {
    readers.tell(new Subscription.Signal.Closing());
    sleep();
  }

  private void sleep() {
    if (!asleep) {
      asleep = true;
      appends.leave();
      log.rest();
      forget.accept(this);
    }
  }

  /**
   * Conversations were freed, and this was one of them: unless it has begun anew, it ends, and with
   * it what its calls left running. Whoever begins it anew waits for that.
   *
   * @return false when it went to sleep meanwhile
   */
  boolean freed() {
    try (Hold _ = visit()) {
      if (asleep) {
        return false;
      }
      if (!log.isHeld()) {
        dispatch.turns().release(instance());
        leave();
      }
      return true;
    }
  }

  /**
   * The store holds this life of it no longer: whoever listens is told. Where something of it is
   * still being ended it stays, so that its next life waits for that.
   */
  private void leave() {
    readers.tell(new Subscription.Signal.Closing());
    if (idle()) {
      sleep();
    } else {
      recovery.readAnew();
    }
  }
}
