package harness.tool;

import harness.agent.Instance;
import harness.fault.Refusal;
import harness.fault.RefusedException;

/** Where there is no workspace: no tool runs, and what needs one is refused before it is queued. */
public final class NoToolHost implements ToolHost {
  static final String REFUSED =
      "this Harness has no workspace; give the definition workspace \"none\", or send this to a"
          + " Harness that has one";

  @Override
  public ToolResult call(ToolCall call, Progress progress) {
    return ToolResult.failure(call.name() + " did not run: this Harness has no workspace");
  }

  @Override
  public void checkWorkspace() {
    throw new RefusedException(new Refusal.Forbidden(REFUSED));
  }

  @Override
  public void checkDirectory(String cwd) {
    checkWorkspace();
  }

  @Override
  public void release(Instance instance) {}

  @Override
  public void close() {}
}
