package harness.admission;

import harness.agent.Instance;
import harness.author.Actor;
import harness.author.Authority;
import harness.author.Decision;
import harness.author.Permission;
import harness.conversation.Conversations;
import harness.conversation.Event;
import harness.fault.Refusal;
import harness.fault.RefusedException;
import java.util.List;
import java.util.Optional;

/**
 * What people say to a call that waits, and to proposals. Whoever may not say it is refused, and
 * nothing is recorded.
 */
public final class Answers {
  private final Conversations conversations;
  private final Authority authority;
  private final Proposals proposals;

  public Answers(Conversations conversations, Authority authority, Proposals proposals) {
    this.conversations = conversations;
    this.authority = authority;
    this.proposals = proposals;
  }

  /**
   * An answer.
   *
   * @param callId the call that waits, or that made the proposal
   * @param note what the model is told beside it
   */
  public record Answer(String callId, Decision decision, Optional<String> note, Actor author) {}

  /**
   * Takes an answer; it is on stable storage when this returns, and a proposal that was accepted is
   * applied.
   *
   * @throws RefusedException where nothing waits for it, its author may not give it, or what was
   *     proposed can't be applied any more
   */
  public void answer(Instance instance, Answer answer) {
    if (answer.author() instanceof Actor.Owner) {
      throw new RefusedException(
          new Refusal.Forbidden(
              "nobody answers in the owner's name; give the answer an author of its own"));
    }
    // The Turn goes on as the Agent acting for whoever answers.
    Actor goesOn = new Actor.Agent(instance.id().value(), answer.author().actsFor());
    if (!authority.permits(answer.author(), Permission.PROPOSAL_RESOLVE, instance)) {
      // Whoever may do neither is told nothing of what there is.
      authority.require(goesOn, Permission.TURN_ANSWER, instance);
    }
    Conversations.Waiting waiting = conversations.waiting(instance);
    if (waiting.paused().filter(answer.callId()::equals).isPresent()) {
      authority.require(goesOn, Permission.TURN_ANSWER, instance);
      if (!conversations.answer(
          instance, answer.callId(), answer.decision(), answer.note(), answer.author())) {
        throw notAwaited(answer.callId());
      }
      return;
    }
    Event.Proposed proposed =
        waiting.proposals().stream()
            .filter(one -> one.callId().equals(answer.callId()))
            .findFirst()
            .orElseThrow(() -> notAwaited(answer.callId()));
    if (!conversations.resolve(
        instance,
        answer.callId(),
        authorship -> proposals.resolve(instance, proposed, answer, authorship))) {
      throw notAwaited(answer.callId());
    }
  }

  /** The proposals of a conversation that are open, in order. */
  public List<Event.Proposed> open(Instance instance) {
    return conversations.waiting(instance).proposals();
  }

  private static RefusedException notAwaited(String callId) {
    return new RefusedException(
        new Refusal.NotAwaited(
            "nothing waits for an answer to '"
                + callId
                + "': it was answered, ended or never asked; read the conversation's events"));
  }
}
