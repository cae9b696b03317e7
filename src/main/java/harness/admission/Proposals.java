package harness.admission;

import harness.agent.Access;
import harness.agent.Instance;
import harness.author.Authority;
import harness.author.Permission;
import harness.author.ProposalRule;
import harness.conversation.Authorship;
import harness.conversation.Event;
import harness.conversation.Proposal;
import harness.fault.Refusal;
import harness.fault.RefusedException;
import harness.tool.Mode;
import harness.tool.Seen;
import harness.tool.ToolBox;
import harness.tool.ToolCall;
import harness.tool.ToolResult;
import java.util.Map;

/** Makes the change that was proposed, where it still can be and may be. */
public final class Proposals {
  private final ToolBox tools;
  private final Authority authority;

  public Proposals(ToolBox tools, Authority authority) {
    this.tools = tools;
    this.authority = authority;
  }

  /**
   * What is recorded of a decision; a change that was accepted is made.
   *
   * @throws RefusedException where it is not its author's to make, or the files are not as they
   *     were
   */
  Event.ProposalResolved resolve(
      Instance instance, Event.Proposed proposed, Answers.Answer answer, Authorship authorship) {
    ProposalRule.refusal(answer.author(), proposed.actor(), answer.decision())
        .ifPresent(
            why -> {
              throw new RefusedException(new Refusal.Forbidden(why));
            });
    authority.require(answer.author(), Permission.PROPOSAL_RESOLVE, instance);
    Map<String, String> seen =
        switch (answer.decision()) {
          case ACCEPT -> {
            authority.require(answer.author(), Permission.WORKSPACE_WRITE, instance);
            yield made(instance, proposed, answer);
          }
          case REJECT -> Map.of();
        };
    return new Event.ProposalResolved(
        proposed.submissionId(),
        proposed.callId(),
        proposed.proposal().path(),
        answer.decision(),
        answer.note(),
        answer.author(),
        authorship.of(answer.author()),
        seen);
  }

  /** Makes the call anew, which changes nothing that is not as it was. */
  private Map<String, String> made(
      Instance instance, Event.Proposed proposed, Answers.Answer answer) {
    Proposal proposal = proposed.proposal();
    ToolResult result =
        tools.call(
            new ToolCall(
                proposed.callId(),
                proposal.tool(),
                proposal.input(),
                proposal.cwd(),
                Access.WRITE,
                Mode.ACCEPT,
                instance,
                answer.author(),
                new Seen(proposal.madeFrom()),
                new Seen(proposal.becomes())),
            _ -> {});
    if (result.error()) {
      throw new RefusedException(
          new Refusal.NotAwaited(
              "the proposal '"
                  + proposed.callId()
                  + "' can't be applied and stays open: "
                  + result.text()));
    }
    return result.seen().versions();
  }
}
