package harness.conversation;

import harness.agent.Instance;
import harness.author.Actor;
import harness.author.Decision;
import harness.fault.Fault;
import harness.fault.FaultClass;
import harness.fault.Refusal;
import harness.fault.RefusedException;
import harness.model.Usage;
import harness.store.Appended;
import harness.store.Claim;
import harness.store.CorruptEventException;
import harness.store.StoreUnableException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One conversation that is awake: it has one writer, whoever holds its lock. A Submission runs when
 * it is the first unsettled one and the Turn before it can do nothing any more.
 *
 * <p>Long for one file, because all of it happens under one lock: what is appended, started and
 * ended is seen in one place. What does not need the lock is in {@link Endings}, {@link Log} and
 * {@link Dispatch}.
 */
public final class Conversation {
  private static final System.Logger LOG = System.getLogger(Conversation.class.getName());

  /** How long an abort waits for calls that do not listen, before it ends what they left. */
  private static final Duration TOOLS_GRACE = Duration.ofSeconds(1);

  /** The lock, held until it is closed. */
  private interface Hold extends AutoCloseable {
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
  private final Consumer<Conversation> forget;
  private Optional<Attempt> live = Optional.empty();
  private int releasing;
  private final Set<String> resolving = new HashSet<>();
  private boolean loaded;
  private int unread;
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
    this.forget = forget;
  }

  /** Something of it that is stored turned out to be damaged. */
  void doubt() {
    try (Hold _ = hold()) {
      log.doubt();
    }
  }

  private Hold hold() {
    lock.lock();
    return lock::unlock;
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
    lock.lock();
    try {
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
      dispatch.reserve(instance(), state.waiting());
      boolean stored = false;
      try {
        Appended answer =
            log.append(
                List.of(new Event.SubmissionAdmitted(submission, heir)),
                claims.apply(place),
                List.of());
        stored = answer instanceof Appended.Stored;
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
        if (!stored) {
          dispatch.release(1);
        }
      }
    } finally {
      sleepIfQuiet();
      lock.unlock();
    }
  }

  /**
   * Ends the running Submission and all that is queued, in order of admission, and what their calls
   * left running; on stable storage when it returns. What is admitted later starts when all of that
   * has ended.
   *
   * @return whether there was anything to end; empty when it went to sleep meanwhile
   */
  Optional<Boolean> abort() {
    Optional<Boolean> swept = sweep();
    if (swept.isPresent()) {
      try {
        awaitTools();
        dispatch.turns().release(instance());
      } finally {
        released();
      }
    }
    return swept;
  }

  /** A call that had just begun has not yet heard that it was ended. */
  private void awaitTools() {
    try (Hold _ = hold()) {
      long left = TOOLS_GRACE.toNanos();
      while (left > 0 && !live.map(Attempt::over).orElse(true)) {
        left = toolEnded.awaitNanos(left);
      }
    } catch (InterruptedException _) {
      // Whoever waits for the answer is gone; what was swept stays so.
      Thread.currentThread().interrupt();
    }
  }

  private void released() {
    try (Hold _ = hold()) {
      releasing--;
      promote();
      sleepIfQuiet();
    }
  }

  private Optional<Boolean> sweep() {
    lock.lock();
    try {
      if (asleep) {
        return Optional.empty();
      }
      ConversationState state = log.state();
      if (state.unsettled().isEmpty()) {
        releasing++;
        return Optional.of(false);
      }
      Optional<Attempt> running = live.filter(attempt -> !attempt.ended());
      running.ifPresent(attempt -> attempt.hush(true));
      boolean stored = false;
      try {
        appends.store(Endings.aborted(state, running));
        stored = true;
      } finally {
        boolean goesOn = !stored;
        running.filter(_ -> goesOn).ifPresent(attempt -> attempt.hush(false));
      }
      live.ifPresent(Attempt::end);
      releasing++;
      return Optional.of(true);
    } finally {
      sleepIfQuiet();
      lock.unlock();
    }
  }

  /** Reads its events, the first time. */
  void ready() {
    lock.lock();
    try {
      if (!loaded && !asleep) {
        reload();
      }
    } catch (StoreUnableException | CorruptEventException | UncheckedIOException e) {
      if (!scheduled) {
        sleep();
      }
      throw e;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes it up at the start of the process; one that the store can't settle now waits for it.
   *
   * @param unsettled how many of its Submissions are
   */
  void recover(int unsettled) {
    dispatch.count(unsettled);
    unread = unsettled;
    try (Hold _ = hold()) {
      reload();
      promote();
      sleepIfQuiet();
    } catch (StoreUnableException e) {
      LOG.log(Level.ERROR, "conversation {0} waits for its store: {1}", instance(), e.getMessage());
      setAside(Optional.empty());
    } catch (CorruptEventException | UncheckedIOException e) {
      giveUp(e);
    }
  }

  /** It can't be read: what it holds stays unsettled, and whoever asks for it is told why. */
  private void giveUp(RuntimeException why) {
    LOG.log(Level.ERROR, "conversation {0} is set aside: {1}", instance(), why.getMessage());
    try (Hold _ = hold()) {
      dispatch.release(loaded ? log.state().unsettled().size() : unread);
      readers.tell(new Subscription.Signal.Closing());
      sleep();
    }
  }

  /** Reads its events anew and settles a Turn that this process does not run. */
  private void reload() {
    try (Hold _ = hold()) {
      log.load();
      loaded = true;
      ConversationState state = log.state();
      state.pause().ifPresent(this::limitAnswer);
      if (state.running().filter(turn -> turn.pause().isEmpty()).isPresent()) {
        appends.store(Endings.lost(instance(), state, state.running().get()));
        LOG.log(
            Level.INFO,
            "settled as lost: the Turn of {0}, which was cut off; {1} wait behind it",
            instance(),
            log.state().waiting());
      }
    }
  }

  /** Whether nothing of an earlier Turn goes on, and nothing is being ended. */
  boolean idle() {
    try (Hold _ = hold()) {
      return releasing == 0 && resolving.isEmpty() && live.map(Attempt::over).orElse(true);
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
        dispatch.start("turn " + instance(), this::turn);
      }
    }
  }

  private boolean mayBegin() {
    ConversationState state = log.state();
    return !asleep
        && !dispatch.stopped()
        && !state.unsettled().isEmpty()
        && state.pause().isEmpty()
        && idle();
  }

  private void turn() {
    Optional<Attempt> begun = Optional.empty();
    try {
      begun = begin();
      begun.ifPresent(this::run);
      releaseIfBurned();
    } catch (StoreUnableException e) {
      LOG.log(Level.ERROR, "conversation {0} waits for its store: {1}", instance(), e.getMessage());
      setAside(begun);
    } catch (RuntimeException | Error e) {
      stall(e);
    } finally {
      try (Hold _ = hold()) {
        promote();
        sleepIfQuiet();
      }
    }
  }

  /** No Turn of it starts any more, and nothing is admitted that would wait for ever. */
  private void stall(Throwable why) {
    LOG.log(Level.ERROR, "conversation " + instance() + " is set aside until a restart", why);
    try (Hold _ = hold()) {
      scheduled = true;
      stalled = Optional.of(why.toString());
    }
  }

  private void requireGoing() {
    stalled.ifPresent(
        why -> {
          throw new RefusedException(
              new Refusal.StoreUnable(
                  "conversation " + instance().id() + " is set aside until a restart: " + why));
        });
  }

  private Optional<Attempt> begin() {
    try (Hold _ = hold()) {
      if (!mayBegin()) {
        scheduled = false;
        return Optional.empty();
      }
      ConversationState state = log.state();
      Attempt.Segment segment = beginnings.segment(state);
      Optional<String> refusal = beginnings.refusal(segment);
      if (refusal.isPresent()) {
        LOG.log(Level.INFO, "passed over: {0}", refusal.get());
        appends.store(Endings.forbidden(state, refusal.get()));
        scheduled = false;
        return Optional.empty();
      }
      Submission submission;
      Transcript transcript;
      try {
        submission = submission(state.unsettled().getFirst().sequence());
        if (!dispatch.turns().ready(submission)) {
          dispatch.startLater("turn " + instance(), this::turn);
          return Optional.empty();
        }
        transcript = log.transcript();
      } catch (CorruptEventException | OutOfMemoryError e) {
        burnUnread(e);
        scheduled = false;
        return Optional.empty();
      }
      Attempt attempt = new Attempt(this, submission, segment, transcript);
      List<Event> opening = beginnings.opening(state, submission, segment);
      appends.store(opening);
      attempt.tell(opening);
      live = Optional.of(attempt);
      scheduled = false;
      return live;
    }
  }

  private void run(Attempt attempt) {
    try {
      settle(attempt, dispatch.turns().run(attempt));
    } catch (EndedException _) {
      LOG.log(Level.DEBUG, "a Turn of {0} was ended, and settled by whoever ended it", instance());
    } catch (StoreUnableException e) {
      throw e;
    } catch (InterruptedException | RuntimeException | Error e) {
      if (!attempt.ended()) {
        LOG.log(Level.ERROR, "a bug ended a Turn of " + instance(), e);
        Fault bug =
            new Fault(
                FaultClass.INFRA,
                "a bug of the Harness ended the Turn (" + e + "); its log has the trace");
        settle(attempt, new Turns.Ending(Settlement.failed(bug), Usage.NONE));
      }
    }
  }

  /** Nobody will ever ask for what its calls left running. */
  private void releaseIfBurned() {
    boolean burned;
    try (Hold _ = hold()) {
      burned = log.state().burn().isPresent();
    }
    if (burned) {
      dispatch.turns().release(instance());
    }
  }

  private void settle(Attempt attempt, Turns.Outcome outcome) {
    try (Hold _ = hold()) {
      if (attempt.ended()) {
        return;
      }
      switch (outcome) {
        case Turns.Pause(Event.AwaitingAnswer on) -> {
          appends.store(List.of(on));
          log.state().pause().ifPresent(this::limitAnswer);
        }
        case Turns.Ending(Settlement.Failed(_, Fault fault, _, _), Usage usage, _) ->
            appends.fail(fault, burn -> Endings.failed(attempt, log.state(), fault, usage, burn));
        case Turns.Ending ending -> appends.store(Endings.ended(log.state(), ending));
      }
      attempt.finish();
    }
  }

  /** A Turn that nobody answers ends, also when the process was ended meanwhile. */
  private void limitAnswer(ConversationState.Pause pause) {
    Duration left = dispatch.answerLimit().minus(log.since(pause.sequence()));
    Duration wait = left.isNegative() ? Duration.ZERO : left;
    dispatch.after(wait, "answer " + instance(), () -> giveUpAnswer(pause.callId()));
  }

  private void giveUpAnswer(String callId) {
    try (Hold _ = hold()) {
      if (!asleep && awaits(callId)) {
        appends.store(Endings.unanswered(log.state(), dispatch.answerLimit()));
        promote();
        sleepIfQuiet();
      }
    } catch (StoreUnableException e) {
      LOG.log(Level.ERROR, "conversation {0} waits for its store: {1}", instance(), e.getMessage());
      setAside(Optional.empty());
    } catch (RuntimeException | Error e) {
      stall(e);
    }
  }

  private boolean awaits(String callId) {
    return log.state().pause().filter(pause -> pause.callId().equals(callId)).isPresent();
  }

  /**
   * Takes an answer to the call that its Turn waits for, which then goes on; on stable storage when
   * it returns.
   *
   * @return whether the call waits for one; empty when it went to sleep meanwhile
   */
  Optional<Boolean> answer(String callId, Decision decision, Optional<String> note, Actor author) {
    lock.lock();
    try {
      if (asleep) {
        return Optional.empty();
      }
      requireGoing();
      boolean waits = awaits(callId);
      if (waits) {
        String id = log.state().running().orElseThrow().submissionId();
        appends.store(List.of(new Event.Answered(id, callId, decision, note, author)));
        promote();
      }
      return Optional.of(waits);
    } finally {
      sleepIfQuiet();
      lock.unlock();
    }
  }

  /** What waits for an answer, and whom the conversation belongs to; empty when it sleeps. */
  Optional<Open> open() {
    try (Hold _ = hold()) {
      ConversationState state = log.state();
      return asleep
          ? Optional.empty()
          : Optional.of(
              new Open(
                  state.authorship().restingOwner(),
                  state.pause().map(ConversationState.Pause::callId),
                  state.proposals().stream()
                      .map(ConversationState.OpenProposal::sequence)
                      .toList()));
    } finally {
      readerLeft();
    }
  }

  /**
   * What may be answered.
   *
   * @param paused the call that the Turn waits for
   * @param proposals the sequences of the events that made those that are open
   */
  record Open(Optional<Actor> owner, Optional<String> paused, List<Long> proposals) {}

  /**
   * Resolves a proposal: one at a time, and nobody else does it meanwhile.
   *
   * @param resolution what is recorded; it may change files, and refuse
   * @return false where no such proposal is open, or it is being resolved; empty when it went to
   *     sleep meanwhile
   */
  Optional<Boolean> resolve(
      String callId, Function<Authorship, Event.ProposalResolved> resolution) {
    Authorship authorship;
    try (Hold _ = hold()) {
      if (asleep) {
        return Optional.empty();
      }
      requireGoing();
      while (!resolving.isEmpty() && !asleep) {
        toolEnded.awaitUninterruptibly();
      }
      if (log.state().proposals().stream().noneMatch(one -> one.callId().equals(callId))) {
        return Optional.of(false);
      }
      resolving.add(callId);
      authorship = log.state().authorship();
    }
    try {
      Event.ProposalResolved resolved = resolution.apply(authorship);
      try (Hold _ = hold()) {
        appends.store(List.of(resolved));
      }
      return Optional.of(true);
    } finally {
      try (Hold _ = hold()) {
        resolving.remove(callId);
        toolEnded.signalAll();
        promote();
        sleepIfQuiet();
      }
    }
  }

  /**
   * It was damaged since it was folded, or is too large: no Turn goes on from what nobody reads.
   */
  private void burnUnread(Throwable why) {
    LOG.log(Level.ERROR, "conversation {0} is set aside: {1}", instance(), why.getMessage());
    Fault fault =
        new Fault(
            FaultClass.INFRA,
            why instanceof OutOfMemoryError
                ? "the conversation is larger than the memory of the Harness; give it more"
                : String.valueOf(why.getMessage()));
    appends.fail(fault, burn -> Endings.unread(instance(), log.state(), fault, burn));
  }

  /** The store could not take what happened: the Turn is fenced, and settled when it can. */
  private void setAside(Optional<Attempt> begun) {
    try (Hold _ = hold()) {
      if (begun.map(Attempt::ended).orElse(false)) {
        // Whoever ended it has settled it, and a later Turn may run already.
        return;
      }
      begun.ifPresent(Attempt::finish);
      scheduled = true;
    }
    dispatch.repair(
        "repair " + instance(),
        () -> {
          lock.lock();
          try {
            if (asleep) {
              return true;
            }
            reload();
            scheduled = false;
            promote();
            sleepIfQuiet();
            return true;
          } catch (StoreUnableException e) {
            LOG.log(Level.WARNING, "conversation {0} still waits: {1}", instance(), e.getMessage());
            return false;
          } catch (CorruptEventException | UncheckedIOException e) {
            giveUp(e);
            return true;
          } catch (RuntimeException | Error e) {
            stall(e);
            return true;
          } finally {
            lock.unlock();
          }
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
      List<Beginnings.Rider> riders = beginnings.riders(log.state(), attempt, this::submission);
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
    try (Hold _ = hold()) {
      attempt.changeToolsRunning(-1);
      toolEnded.signalAll();
      promote();
      sleepIfQuiet();
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
    try (Hold _ = hold()) {
      sleepIfQuiet();
    }
  }

  private Submission submission(long sequence) {
    if (log.read(sequence, 1).getFirst().event() instanceof Event.SubmissionAdmitted admitted) {
      return admitted.submission();
    }
    throw new IllegalStateException("event " + sequence + " of " + instance() + " admits nothing");
  }

  /** With nothing to do and nobody listening it need not be in memory. */
  private void sleepIfQuiet() {
    if (log.state().unsettled().isEmpty() && readers.isEmpty() && !scheduled && idle()) {
      sleep();
    }
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
    lock.lock();
    try {
      if (asleep) {
        return false;
      }
      if (!log.isHeld()) {
        dispatch.turns().release(instance());
        leave();
      }
      return true;
    } finally {
      sleepIfQuiet();
      lock.unlock();
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
      loaded = false;
    }
  }
}
