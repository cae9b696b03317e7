package harness.conversation;

import harness.author.Actor;
import harness.model.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What a conversation's events amount to: the fold, with no clock, I/O or randomness in it. It is
 * light; what was said is in the {@link Transcript}.
 *
 * @param events how many events there are
 * @param authorship whom it acts for and belongs to
 * @param unsettled what is not settled, in order of admission; the first may have begun
 * @param running the Turn of the first, once it began
 * @param burn the Settlement that burned the conversation
 * @param proposals changes that wait for an answer, in order
 * @param news what the model is told with the next prompt
 */
record ConversationState(
    long events,
    Authorship authorship,
    List<Unsettled> unsettled,
    Optional<Running> running,
    Optional<Settlement.Failed> burn,
    List<OpenProposal> proposals,
    News news) {
  static final ConversationState NEW = after(Optional.empty());

  /** A Submission that has no Settlement; its text is in the event at {@code sequence}. */
  record Unsettled(String submissionId, long sequence, Actor author, Delivery delivery) {}

  /**
   * A Turn that began.
   *
   * @param attempt its segment, from 1
   * @param actor the agent of that segment
   * @param openCalls those that have no result yet
   * @param joined the Submissions that ride with it, in order
   * @param pause what it waits for; with the answer once there is one
   * @param used what the segments before this one used
   */
  record Running(
      String submissionId,
      int attempt,
      Actor.Agent actor,
      List<String> openCalls,
      List<String> joined,
      Optional<Pause> pause,
      Usage used) {
    Running {
      openCalls = List.copyOf(openCalls);
      joined = List.copyOf(joined);
    }

    /** Whether its Settlement is that of a Submission. */
    boolean carries(String id) {
      return submissionId.equals(id) || joined.contains(id);
    }

    private Running with(List<String> open, List<String> riders, Optional<Pause> waits) {
      return new Running(submissionId, attempt, actor, open, riders, waits, used);
    }
  }

  /** A call that waits, asked in the event at {@code sequence}. */
  record Pause(String callId, long sequence, Optional<Event.Answered> answer) {}

  /** A proposal that waits, in the event at {@code sequence}. */
  record OpenProposal(String callId, long sequence) {}

  /** A conversation that is not held; a fault that burned an earlier life of it still holds. */
  static ConversationState after(Optional<FaultReport> last) {
    Optional<Settlement.Failed> burn =
        last.map(FaultReport::settlement).filter(failed -> failed.fault().faultClass().burns());
    return new ConversationState(
        0, Authorship.NEW, List.of(), Optional.empty(), burn, List.of(), News.NONE);
  }

  ConversationState {
    unsettled = List.copyOf(unsettled);
    proposals = List.copyOf(proposals);
  }

  ConversationState apply(Event event) {
    Authorship next = authorship.apply(event);
    return switch (event) {
      case Event.SubmissionAdmitted e -> {
        Submission one = e.submission();
        yield with(
            next,
            plus(
                unsettled, new Unsettled(one.submissionId(), events, one.author(), one.delivery())),
            running);
      }
      case Event.TurnStarted e ->
          with(next, unsettled, Optional.of(started(e.submissionId(), e.attempt(), e.actor())));
      case Event.TurnResumed e ->
          turn(
              next,
              turn ->
                  new Running(
                      turn.submissionId(),
                      e.attempt(),
                      e.actor(),
                      turn.openCalls(),
                      turn.joined(),
                      Optional.empty(),
                      turn.used()));
      case Event.MessageJoined e ->
          turn(
              next,
              turn ->
                  turn.with(turn.openCalls(), plus(turn.joined(), e.submissionId()), turn.pause()));
      case Event.ToolCalled e ->
          turn(
              next,
              turn -> turn.with(plus(turn.openCalls(), e.callId()), turn.joined(), turn.pause()));
      case Event.ToolReturned e ->
          turn(
              next,
              turn -> turn.with(minus(turn.openCalls(), e.callId()), turn.joined(), turn.pause()));
      case Event.AwaitingAnswer e ->
          turn(
              next,
              turn ->
                  new Running(
                      turn.submissionId(),
                      turn.attempt(),
                      turn.actor(),
                      turn.openCalls(),
                      turn.joined(),
                      Optional.of(new Pause(e.callId(), events, Optional.empty())),
                      e.usage()));
      case Event.Answered e ->
          turn(
              next,
              turn ->
                  turn.with(
                      turn.openCalls(),
                      turn.joined(),
                      turn.pause()
                          .map(wait -> new Pause(wait.callId(), wait.sequence(), Optional.of(e)))));
      case Event.SubmissionSettled e -> settled(next, e);
      case Event.Proposed e ->
          new ConversationState(
              events + 1,
              next,
              unsettled,
              running,
              burn,
              plus(proposals, new OpenProposal(e.callId(), events)),
              news);
      case Event.ProposalResolved e -> resolved(next, e);
      case Event.PromptAppended _ ->
          new ConversationState(events + 1, next, unsettled, running, burn, proposals, News.NONE);
      case Event.MemoryLimit e ->
          new ConversationState(
              events + 1, next, unsettled, running, burn, proposals, news.with(e));
      case Event.ReplyAppended _,
          Event.Picked _,
          Event.Nudged _,
          Event.Rerolled _,
          Event.Compacted _ ->
          with(next, unsettled, running);
    };
  }

  /** How many Submissions wait, those of the running Turn not counted. */
  int waiting() {
    return unsettled.size() - running.map(turn -> 1 + turn.joined().size()).orElse(0);
  }

  /** The call that the Turn waits for an answer to. */
  Optional<Pause> pause() {
    return running.flatMap(Running::pause).filter(pause -> pause.answer().isEmpty());
  }

  /** A name for the next message that no message of the conversation has. */
  String messageId() {
    return "m-" + events;
  }

  private static Running started(String submissionId, int attempt, Actor.Agent actor) {
    return new Running(
        submissionId, attempt, actor, List.of(), List.of(), Optional.empty(), Usage.NONE);
  }

  private ConversationState with(Authorship next, List<Unsettled> list, Optional<Running> turn) {
    return new ConversationState(events + 1, next, list, turn, burn, proposals, news);
  }

  private ConversationState turn(Authorship next, UnaryOperator<Running> change) {
    return with(next, unsettled, running.map(change));
  }

  private ConversationState settled(Authorship next, Event.SubmissionSettled event) {
    String id = event.submissionId();
    Optional<Settlement.Failed> fault =
        event.settlement() instanceof Settlement.Failed failed
                && failed.fault().faultClass().burns()
            ? Optional.of(failed)
            : Optional.empty();
    return new ConversationState(
        events + 1,
        next,
        unsettled.stream().filter(one -> !one.submissionId().equals(id)).toList(),
        running.filter(turn -> !turn.submissionId().equals(id)),
        burn.or(() -> fault),
        proposals,
        news);
  }

  private ConversationState resolved(Authorship next, Event.ProposalResolved event) {
    return new ConversationState(
        events + 1,
        next,
        unsettled,
        running,
        burn,
        proposals.stream().filter(one -> !one.callId().equals(event.callId())).toList(),
        news.with(event));
  }

  private static <T> List<T> plus(List<T> list, T one) {
    List<T> more = new ArrayList<>(list);
    more.add(one);
    return more;
  }

  private static <T> List<T> minus(List<T> list, T one) {
    List<T> less = new ArrayList<>(list);
    less.remove(one);
    return less;
  }
}
