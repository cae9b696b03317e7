package harness.conversation;

import harness.fault.Fault;
import harness.fault.FaultClass;
import harness.model.Usage;
import harness.store.CorruptEventException;
import harness.store.StoreUnableException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;

/**
 * The course of a conversation's Turns, one after the other: each begins or goes on, is run, and
 * pauses or settles. Guarded by the conversation's lock, which is not held while one runs.
 */
final class Course {
  private static final System.Logger LOG = System.getLogger(Course.class.getName());

  private final Conversation conversation;
  private final Log log;
  private final Dispatch dispatch;
  private final Appends appends;
  private final Beginnings beginnings;

  Course(
      Conversation conversation,
      Log log,
      Dispatch dispatch,
      Appends appends,
      Beginnings beginnings) {
    this.conversation = conversation;
    this.log = log;
    this.dispatch = dispatch;
    this.appends = appends;
    this.beginnings = beginnings;
  }

  /** Runs the first unsettled Submission, on the thread of a permit. */
  void turn() {
    Optional<Attempt> begun = Optional.empty();
    try {
      begun = begin();
      begun.ifPresent(this::run);
      releaseIfBurned();
    } catch (StoreUnableException e) {
      conversation.setAside(e, begun);
    } catch (OutOfMemoryError e) {
      // There may be some again soon, when what took it is through.
      conversation.setAside(new StoreUnableException("the Harness ran out of memory", e), begun);
    } catch (RuntimeException | Error e) {
      conversation.stall(e);
    } finally {
      try (Conversation.Hold _ = conversation.visit()) {
        conversation.promote();
      }
    }
  }

  private Optional<Attempt> begin() {
    try (Conversation.Hold _ = conversation.hold()) {
      if (!conversation.mayBegin()) {
        conversation.schedule(false);
        return Optional.empty();
      }
      ConversationState state = log.state();
      Attempt.Segment segment = beginnings.segment(state);
      Optional<String> refusal = beginnings.refusal(segment);
      if (refusal.isPresent()) {
        LOG.log(Level.INFO, "passed over: {0}", refusal.get());
        appends.store(Endings.forbidden(state, refusal.get()));
        conversation.schedule(false);
        return Optional.empty();
      }
      Submission submission;
      try {
        submission = log.submission(state.unsettled().getFirst().sequence());
      } catch (CorruptEventException e) {
        return unread(e);
      }
      if (!dispatch.turns().ready(submission)) {
        dispatch.startLater("turn " + log.instance(), this::turn);
        return Optional.empty();
      }
      Transcript transcript;
      try {
        transcript = log.transcript();
      } catch (CorruptEventException | OutOfMemoryError e) {
        return unread(e);
      }
      Attempt attempt = new Attempt(conversation, submission, segment, transcript);
      List<Event> opening = beginnings.opening(state, submission, segment);
      appends.store(opening);
      attempt.tell(opening);
      conversation.live(attempt);
      return Optional.of(attempt);
    }
  }

  private void run(Attempt attempt) {
    try {
      settle(attempt, dispatch.turns().run(attempt));
    } catch (EndedException _) {
      LOG.log(
          Level.DEBUG, "a Turn of {0} was ended, and settled by whoever ended it", log.instance());
    } catch (StoreUnableException e) {
      throw e;
    } catch (InterruptedException | RuntimeException | Error e) {
      if (!attempt.ended()) {
        LOG.log(Level.ERROR, "a bug ended a Turn of " + log.instance(), e);
        Fault bug =
            e instanceof OutOfMemoryError
                ? new Fault(
                    FaultClass.TURN_LOST,
                    "the Harness ran out of memory in this Turn; give it more, or run fewer at once"
                        + " (limits.live-turns)")
                : new Fault(
                    FaultClass.INFRA,
                    "a bug of the Harness ended the Turn (" + e + "); its log has the trace");
        settle(attempt, new Turns.Ending(Settlement.failed(bug), Usage.NONE));
      }
    }
  }

  /** Nobody will ever ask for what its calls left running. */
  private void releaseIfBurned() {
    boolean burned;
    try (Conversation.Hold _ = conversation.hold()) {
      burned = log.state().burn().isPresent();
    }
    if (burned) {
      dispatch.turns().release(log.instance());
    }
  }

  private void settle(Attempt attempt, Turns.Outcome outcome) {
    try (Conversation.Hold _ = conversation.hold()) {
      if (attempt.ended()) {
        return;
      }
      switch (outcome) {
        case Turns.Pause(Event.AwaitingAnswer on) -> {
          appends.store(List.of(on));
          log.state().pause().ifPresent(conversation.waits()::limit);
        }
        case Turns.Ending(Settlement.Failed(_, Fault fault, _, _), Usage usage, _) ->
            appends.fail(fault, burn -> Endings.failed(attempt, log.state(), fault, usage, burn));
        case Turns.Ending ending -> appends.store(Endings.ended(log.state(), ending));
      }
      attempt.finish();
    }
  }

  /**
   * It was damaged since it was folded, or is too large: no Turn goes on from what nobody reads,
   * and there is no attempt.
   */
  private Optional<Attempt> unread(Throwable why) {
    LOG.log(Level.ERROR, "conversation {0} is set aside: {1}", log.instance(), why.getMessage());
    Fault fault =
        new Fault(
            FaultClass.INFRA,
            why instanceof OutOfMemoryError
                ? "the conversation is larger than the memory of the Harness; give it more"
                : String.valueOf(why.getMessage()));
    appends.fail(fault, burn -> Endings.unread(log.instance(), log.state(), fault, burn));
    conversation.schedule(false);
    return Optional.empty();
  }
}
