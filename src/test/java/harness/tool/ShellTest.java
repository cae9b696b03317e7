package harness.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import harness.workspace.command.CommandRunner;
import harness.workspace.command.Sandboxes;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Commands without a sandbox, in a process that starts nothing else. */
class ShellTest extends ShellContract {
  @Override
  CommandRunner runner() {
    return Sandboxes.none(ENVIRONMENT, true);
  }

  @Test
  void aProcessThatShedEveryMarkIsEndedToo() {
    shell("(setsid env -i sleep " + mark + " > /dev/null 2>&1 &)");
    assertEquals(List.of(), Processes.running("sleep", mark));
  }
}
