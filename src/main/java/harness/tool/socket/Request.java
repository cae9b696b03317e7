package harness.tool.socket;

import harness.agent.Instance;
import harness.tool.ToolCall;
import harness.workspace.git.PlaceOrder;

/** What the Harness sends. Each but the first is answered under its id, by one frame. */
sealed interface Request {
  /** The first frame. Its shape is the same in every protocol. */
  record Hello(long protocol) implements Request {}

  /** Runs a call; {@link Answer.Output} may come before its {@link Answer.Returned}. */
  record Call(long id, ToolCall call) implements Request {}

  /** Ends the call with this id, which is then answered all the same; has no answer of its own. */
  record Cancel(long id) implements Request {}

  /** Checks a Frame's working directory. */
  record Check(long id, String cwd) implements Request {}

  /** Finds the branch of a worktree. */
  record Branch(long id, String worktree) implements Request {}

  /** Makes what is missing of a slot of the workspace. */
  record Place(long id, PlaceOrder order) implements Request {}

  /** Ends what the calls of a conversation left running. */
  record Release(long id, Instance instance) implements Request {}

  /** Ends what all calls left running: the Harness goes. */
  record End(long id) implements Request {}

  /** Asks whether anybody is there. */
  record Ping(long id) implements Request {}
}
