package harness.tool;

import harness.workspace.command.CommandRunner;
import harness.workspace.command.Sandboxes;

/** Commands without a sandbox, in a process that starts other things too. */
class SharedShellTest extends ShellContract {
  @Override
  CommandRunner runner() {
    return Sandboxes.none(ENVIRONMENT, false);
  }
}
