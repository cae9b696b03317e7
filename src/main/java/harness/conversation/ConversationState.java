package harness.conversation;

import harness.author.Actor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a conversation's events amount to: the fold, with no clock, I/O or randomness in it. It is
 * light; what was said is in the {@link Transcript}.
 *
 * @param events how many events there are
 * @param owner the first author that acted for someone
 * @param unsettled what is not settled, in order of admission; the first may be running
 * @param running the Turn of the first, once it began
 * @param burn the Settlement that burned the conversation
 */
record ConversationState(
    long events,
    Optional<Actor> owner,
    List<Unsettled> unsettled,
    Optional<Running> running,
    Optional<Settlement.Failed> burn) {
  static final ConversationState NEW =
      new ConversationState(0, Optional.empty(), List.of(), Optional.empty(), Optional.empty());

  /** A Submission that has no Settlement; its text is in the event at {@code sequence}. */
  record Unsettled(String submissionId, long sequence, Actor author) {}

  /** A Turn that began, and its calls that have no result yet. */
  record Running(String submissionId, int attempt, Actor.Agent actor, List<String> openCalls) {}

  /** A conversation that is not held; a fault that burned an earlier life of it still holds. */
  static ConversationState after(Optional<FaultReport> last) {
    Optional<Settlement.Failed> burn =
        last.map(FaultReport::settlement).filter(failed -> failed.fault().faultClass().burns());
    return new ConversationState(0, Optional.empty(), List.of(), Optional.empty(), burn);
  }

  ConversationState {
    unsettled = List.copyOf(unsettled);
  }

  ConversationState apply(Event event) {
    ConversationState next =
        switch (event) {
          case Event.SubmissionAdmitted e -> admitted(e.submission());
          case Event.TurnStarted e ->
              with(new Running(e.submissionId(), e.attempt(), e.actor(), List.of()));
          case Event.ToolCalled e -> calls(e.callId(), true);
          case Event.ToolReturned e -> calls(e.callId(), false);
          case Event.SubmissionSettled e -> settled(e);
          case Event.PromptAppended _,
              Event.ReplyAppended _,
              Event.Picked _,
              Event.Nudged _,
              Event.Rerolled _,
              Event.Compacted _ ->
              this;
        };
    return new ConversationState(events + 1, next.owner, next.unsettled, next.running, next.burn);
  }

  /** How many Submissions wait, the running one not counted. */
  int waiting() {
    return unsettled.size() - (running.isPresent() ? 1 : 0);
  }

  /** A name for the next message that no message of the conversation has. */
  String messageId() {
    return "m-" + events;
  }

  private ConversationState admitted(Submission submission) {
    List<Unsettled> list = new ArrayList<>(unsettled);
    list.add(new Unsettled(submission.submissionId(), events, submission.author()));
    return new ConversationState(
        events, owner.or(() -> submission.author().actsFor()), list, running, burn);
  }

  private ConversationState with(Running turn) {
    return new ConversationState(events, owner, unsettled, Optional.of(turn), burn);
  }

  private ConversationState calls(String callId, boolean open) {
    return running
        .map(
            turn -> {
              List<String> calls = new ArrayList<>(turn.openCalls());
              if (open) {
                calls.add(callId);
              } else {
                calls.remove(callId);
              }
              return with(
                  new Running(
                      turn.submissionId(), turn.attempt(), turn.actor(), List.copyOf(calls)));
            })
        .orElse(this);
  }

  private ConversationState settled(Event.SubmissionSettled event) {
    String id = event.submissionId();
    Optional<Settlement.Failed> fault =
        event.settlement() instanceof Settlement.Failed failed
                && failed.fault().faultClass().burns()
            ? Optional.of(failed)
            : Optional.empty();
    return new ConversationState(
        events,
        owner,
        unsettled.stream().filter(one -> !one.submissionId().equals(id)).toList(),
        running.filter(turn -> !turn.submissionId().equals(id)),
        burn.or(() -> fault));
  }
}
