package harness.conversation;

import harness.agent.Instance;
import harness.author.Actor;
import harness.fault.Fault;
import harness.fault.FaultClass;
import harness.fault.Refusal;
import harness.fault.RefusedException;
import harness.model.Part;
import harness.model.Usage;
import harness.store.Appended;
import harness.store.Claim;
import harness.store.CorruptEventException;
import harness.store.StoreUnableException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One conversation that is awake: it has one writer, whoever holds its lock. A Submission runs when
 * it is the first unsettled one and the Turn before it can do nothing any more.
 */
public final class Conversation {
  private static final System.Logger LOG = System.getLogger(Conversation.class.getName());
  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

  private final ReentrantLock lock = new ReentrantLock();
  private final Log log;
  private final Dispatch dispatch;
  private final Readers readers = new Readers();
  private final Consumer<Conversation> forget;
  private Optional<Attempt> live = Optional.empty();
  private boolean loaded;
  private boolean scheduled;
  private boolean asleep;

  /**
   * @param forget takes it out of the register of those that are awake
   */
  Conversation(Log log, Dispatch dispatch, Consumer<Conversation> forget) {
    this.log = log;
    this.dispatch = dispatch;
    this.forget = forget;
  }

  /** Where an admission came to stand. */
  public record Place(Instance instance, boolean isNew, int ahead, Offset offset) {}

  /** How an admission ended. */
  public sealed interface Admitted {
    /** On stable storage. */
    record Queued(Place place) implements Admitted {}

    /** The idempotency key was there already. */
    record KeyTaken(Claim.Key first) implements Admitted {}

    /** The epoch was opened meanwhile by another admission; look again. */
    record EpochTaken() implements Admitted {}

    /** A fault burned the conversation. */
    record Burned(Settlement.Failed by) implements Admitted {}

    /** The conversation went to sleep or was freed meanwhile; look again. */
    record Asleep() implements Admitted {}
  }

  Instance instance() {
    return log.instance();
  }

  long events() {
    lock.lock();
    try {
      return log.state().events();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Queues a Submission.
   *
   * @param shape makes the Submission, knowing who owns the conversation; may refuse it
   * @param claims what must be unique, knowing where the Submission comes to stand
   * @throws RefusedException when a queue is full
   */
  public Admitted admit(
      Function<Optional<Actor>, Submission> shape, Function<Place, List<Claim>> claims) {
    lock.lock();
    try {
      ConversationState state = log.state();
      if (asleep) {
        return new Admitted.Asleep();
      }
      if (state.burn().isPresent()) {
        return new Admitted.Burned(state.burn().get());
      }
      Submission submission = shape.apply(state.owner());
      Place place =
          new Place(
              instance(),
              state.events() == 0,
              state.unsettled().size(),
              new Offset(log.life(), state.events()));
      reserve(state);
      boolean stored = false;
      try {
        Appended answer =
            log.append(
                List.of(new Event.SubmissionAdmitted(submission)), claims.apply(place), List.of());
        stored = answer instanceof Appended.Stored;
        return switch (answer) {
          case Appended.Stored _ -> {
            readers.tell(new Subscription.Signal.Landed());
            promote();
            yield new Admitted.Queued(place);
          }
          case Appended.KeyTaken taken -> new Admitted.KeyTaken(taken.first());
          case Appended.EpochTaken _ -> new Admitted.EpochTaken();
          case Appended.OutOfSequence _ -> {
            sleep();
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

  private void reserve(ConversationState state) {
    if (state.waiting() >= dispatch.limits().queue()) {
      throw new RefusedException(
          new Refusal.Full(
              "the queue of conversation "
                  + instance().id()
                  + " is full ("
                  + dispatch.limits().queue()
                  + " wait); send it again later",
              RETRY_AFTER));
    }
    if (!dispatch.reserve()) {
      throw new RefusedException(
          new Refusal.Full(
              "the queue of this Harness is full ("
                  + dispatch.limits().queueTotal()
                  + " unsettled); send it again later",
              RETRY_AFTER));
    }
  }

  /**
   * Ends the running Submission and all that is queued, in order of admission; on stable storage
   * when it returns.
   *
   * @return whether there was anything to end; empty when it went to sleep meanwhile
   */
  Optional<Boolean> abort() {
    lock.lock();
    try {
      if (asleep) {
        return Optional.empty();
      }
      ConversationState state = log.state();
      if (state.unsettled().isEmpty()) {
        return Optional.of(false);
      }
      List<Event> events = new ArrayList<>();
      live.filter(attempt -> !attempt.ended()).ifPresent(attempt -> events.addAll(cut(attempt)));
      events.addAll(closed(state, "the Turn was aborted while this ran"));
      for (ConversationState.Unsettled one : state.unsettled()) {
        events.add(
            new Event.SubmissionSettled(one.submissionId(), new Settlement.Aborted(), Usage.NONE));
      }
      store(events, List.of(), List.of());
      live.ifPresent(Attempt::end);
      return Optional.of(true);
    } finally {
      sleepIfQuiet();
      lock.unlock();
    }
  }

  private List<Event> cut(Attempt attempt) {
    String said = attempt.partial();
    return said.isEmpty()
        ? List.of()
        : List.of(
            new Event.ReplyAppended(
                attempt.submission().submissionId(),
                messageId(),
                List.of(new Part.Text(said)),
                true,
                Usage.NONE,
                attempt.actor()));
  }

  private static List<Event> closed(ConversationState state, String why) {
    return state.running().stream()
        .flatMap(
            turn ->
                turn.openCalls().stream()
                    .map(
                        call ->
                            (Event)
                                new Event.ToolReturned(
                                    turn.submissionId(),
                                    call,
                                    Event.Outcome.UNKNOWN,
                                    why
                                        + "; whether it took effect is not known. Look before you"
                                        + " repeat it.",
                                    0,
                                    0,
                                    false,
                                    turn.actor())))
        .toList();
  }

  private String messageId() {
    return "m-" + log.state().events();
  }

  /** Reads its events, the first time. */
  void ready() {
    lock.lock();
    try {
      if (!loaded) {
        reload();
        loaded = true;
      }
    } catch (StoreUnableException | CorruptEventException e) {
      sleep();
      throw e;
    } finally {
      lock.unlock();
    }
  }

  /** Reads its events anew and settles a Turn that this process does not run. */
  private void reload() {
    lock.lock();
    try {
      log.load();
      ConversationState state = log.state();
      if (state.running().isPresent()) {
        String id = state.running().get().submissionId();
        Fault lost =
            new Fault(
                FaultClass.TURN_LOST,
                "the Turn was cut off in its middle; the conversation is held, so continue it");
        List<Event> events =
            new ArrayList<>(closed(state, "the Harness was cut off while this ran"));
        Settlement.Failed settlement = (Settlement.Failed) Settlement.failed(lost);
        events.add(new Event.SubmissionSettled(id, settlement, Usage.NONE));
        store(events, List.of(), List.of(report(id, settlement)));
      }
    } finally {
      lock.unlock();
    }
  }

  /** Starts the first unsettled Submission if nothing is in its way. */
  void promote() {
    lock.lock();
    try {
      if (!asleep
          && !scheduled
          && !dispatch.stopped()
          && !log.state().unsettled().isEmpty()
          && live.map(Attempt::over).orElse(true)) {
        scheduled = true;
        dispatch.start("turn " + instance(), this::turn);
      }
    } finally {
      lock.unlock();
    }
  }

  private void turn() {
    Optional<Attempt> begun = Optional.empty();
    try {
      begun = begin();
      if (begun.isPresent()) {
        run(begun.get());
      }
    } catch (StoreUnableException e) {
      LOG.log(Level.ERROR, "conversation " + instance() + " waits for its store", e);
      setAside(begun);
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "conversation " + instance() + " is set aside until a restart", e);
      stall();
    } finally {
      lock.lock();
      try {
        promote();
        sleepIfQuiet();
      } finally {
        lock.unlock();
      }
    }
  }

  /** No Turn of it starts any more. */
  private void stall() {
    lock.lock();
    try {
      scheduled = true;
    } finally {
      lock.unlock();
    }
  }

  private Optional<Attempt> begin() {
    lock.lock();
    try {
      scheduled = false;
      ConversationState state = log.state();
      if (asleep
          || dispatch.stopped()
          || state.unsettled().isEmpty()
          || !live.map(Attempt::over).orElse(true)) {
        return Optional.empty();
      }
      ConversationState.Unsettled first = state.unsettled().getFirst();
      Submission submission = submission(first.sequence());
      Actor.Agent actor = new Actor.Agent(instance().id().value(), submission.author().actsFor());
      Attempt attempt = new Attempt(this, submission, actor, log.transcript());
      List<Event> opening =
          List.of(
              new Event.TurnStarted(first.submissionId(), first.sequence(), 1, actor),
              new Event.PromptAppended(
                  first.submissionId(),
                  messageId(),
                  first.sequence(),
                  dispatch.turns().briefing(submission)));
      store(opening, List.of(), List.of());
      attempt.tell(opening);
      live = Optional.of(attempt);
      return live;
    } finally {
      lock.unlock();
    }
  }

  private void run(Attempt attempt) {
    try {
      settle(attempt, dispatch.turns().run(attempt));
    } catch (EndedException _) {
      LOG.log(Level.DEBUG, "a Turn of {0} was ended, and settled by whoever ended it", instance());
    } catch (StoreUnableException e) {
      throw e;
    } catch (InterruptedException | RuntimeException e) {
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

  private void settle(Attempt attempt, Turns.Ending ending) {
    lock.lock();
    try {
      if (attempt.ended()) {
        return;
      }
      String id = attempt.submission().submissionId();
      switch (ending.settlement()) {
        case Settlement.Completed _, Settlement.Aborted _ ->
            store(
                List.of(new Event.SubmissionSettled(id, ending.settlement(), ending.usage())),
                List.of(),
                List.of());
        case Settlement.Failed failed -> fail(attempt, failed, ending.usage());
      }
      attempt.finish();
    } finally {
      lock.unlock();
    }
  }

  private void fail(Attempt attempt, Settlement.Failed failed, Usage usage) {
    String id = attempt.submission().submissionId();
    boolean burns = failed.fault().faultClass().burns();
    Optional<Burn> burn = burns ? Burn.of(instance(), failed.fault()) : Optional.empty();
    Appended answer = settleFailed(attempt, failed, usage, burn);
    if (answer instanceof Appended.EpochTaken taken) {
      answer = settleFailed(attempt, failed, usage, burn.map(one -> one.to(taken.first().epoch())));
    }
    require(answer, id);
  }

  private Appended settleFailed(
      Attempt attempt, Settlement.Failed failed, Usage usage, Optional<Burn> burn) {
    ConversationState state = log.state();
    String id = attempt.submission().submissionId();
    Optional<Settlement.Bump> bump = burn.map(Burn::bump);
    Settlement.Failed own =
        new Settlement.Failed(failed.error(), failed.fault(), bump, Optional.empty());
    List<Event> events = new ArrayList<>(cut(attempt));
    events.addAll(closed(state, "the Turn met a fault while this ran"));
    events.add(new Event.SubmissionSettled(id, own, usage));
    if (failed.fault().faultClass().burns()) {
      Settlement.Failed behind =
          new Settlement.Failed(failed.error(), failed.fault(), bump, Optional.of(id));
      state.unsettled().stream()
          .map(ConversationState.Unsettled::submissionId)
          .filter(other -> !other.equals(id))
          .forEach(other -> events.add(new Event.SubmissionSettled(other, behind, Usage.NONE)));
    }
    return tryStore(events, burn.flatMap(Burn::claim).stream().toList(), List.of(report(id, own)));
  }

  private byte[] report(String submissionId, Settlement.Failed settlement) {
    return EventCodec.encode(new FaultReport(instance(), submissionId, settlement));
  }

  /** The store could not take what happened: the Turn is fenced, and settled when it can. */
  private void setAside(Optional<Attempt> begun) {
    lock.lock();
    try {
      begun.ifPresent(Attempt::finish);
      scheduled = true;
    } finally {
      lock.unlock();
    }
    dispatch.repair(
        "repair " + instance(),
        () -> {
          lock.lock();
          try {
            reload();
            scheduled = false;
            promote();
            sleepIfQuiet();
            return true;
          } catch (StoreUnableException e) {
            LOG.log(Level.WARNING, "conversation {0} still waits: {1}", instance(), e.getMessage());
            return false;
          } finally {
            lock.unlock();
          }
        });
  }

  void append(Attempt attempt, List<Event> events) throws EndedException {
    lock.lock();
    try {
      check(attempt);
      store(events, List.of(), List.of());
    } finally {
      lock.unlock();
    }
  }

  void beginTool(Attempt attempt) throws EndedException {
    lock.lock();
    try {
      check(attempt);
      attempt.changeToolsRunning(1);
    } finally {
      lock.unlock();
    }
  }

  void endTool(Attempt attempt) {
    lock.lock();
    try {
      attempt.changeToolsRunning(-1);
      promote();
      sleepIfQuiet();
    } finally {
      lock.unlock();
    }
  }

  private static void check(Attempt attempt) throws EndedException {
    if (attempt.ended()) {
      throw new EndedException(attempt.submission().submissionId());
    }
  }

  void tellDelta(String submissionId, String kind, String text) {
    readers.tell(new Subscription.Signal.Delta(submissionId, kind, text));
  }

  /** The process ends: what runs is fenced and left unsettled, and readers are told to go. */
  void abandon() {
    lock.lock();
    try {
      live.ifPresent(Attempt::end);
      readers.tell(new Subscription.Signal.Closing());
    } finally {
      lock.unlock();
    }
  }

  /** Empty when it went to sleep meanwhile. */
  Optional<Subscription> subscribe(boolean deltas) {
    lock.lock();
    try {
      return asleep ? Optional.empty() : Optional.of(new Ear(readers.subscribe(deltas)));
    } finally {
      lock.unlock();
    }
  }

  private Submission submission(long sequence) {
    if (log.read(sequence, 1).getFirst().event() instanceof Event.SubmissionAdmitted admitted) {
      return admitted.submission();
    }
    throw new IllegalStateException("event " + sequence + " of " + instance() + " admits nothing");
  }

  private void store(List<Event> events, List<Claim> claims, List<byte[]> faults) {
    require(tryStore(events, claims, faults), events.getFirst().submissionId());
  }

  private Appended tryStore(List<Event> events, List<Claim> claims, List<byte[]> faults) {
    int before = log.state().unsettled().size();
    Appended answer = log.append(events, claims, faults);
    if (answer instanceof Appended.Stored) {
      dispatch.release(before - log.state().unsettled().size());
      readers.tell(new Subscription.Signal.Landed());
    }
    return answer;
  }

  private void require(Appended answer, String submissionId) {
    if (!(answer instanceof Appended.Stored)) {
      throw new IllegalStateException(
          "an append to " + instance() + " for " + submissionId + " was answered " + answer);
    }
  }

  /** With nothing to do and nobody listening it need not be in memory. */
  private void sleepIfQuiet() {
    if (log.state().unsettled().isEmpty()
        && readers.isEmpty()
        && !scheduled
        && live.map(Attempt::over).orElse(true)) {
      sleep();
    }
  }

  private void sleep() {
    if (!asleep) {
      asleep = true;
      forget.accept(this);
    }
  }

  /** It was freed: whoever listens is told, and nothing is appended any more. */
  void freed() {
    lock.lock();
    try {
      readers.tell(new Subscription.Signal.Closing());
      sleep();
    } finally {
      lock.unlock();
    }
  }

  private final class Ear implements Subscription {
    private final Subscription reader;

    Ear(Subscription reader) {
      this.reader = reader;
    }

    @Override
    public Signal await(Duration atMost) throws InterruptedException {
      return reader.await(atMost);
    }

    @Override
    public void close() {
      reader.close();
      lock.lock();
      try {
        sleepIfQuiet();
      } finally {
        lock.unlock();
      }
    }
  }
}
