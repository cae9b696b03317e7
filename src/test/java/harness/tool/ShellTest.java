package harness.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import harness.workspace.command.CommandRunner;
import harness.workspace.command.Sandboxes;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Commands without a sandbox. */
class ShellTest extends ShellContract {
  @Override
  CommandRunner runner() {
    return Sandboxes.none(ENVIRONMENT);
  }

  @Test
  void aProcessThatShedEveryMarkIsEndedToo() {
    shell("(setsid env -i sleep " + mark + " > /dev/null 2>&1 &)");
    assertEquals(List.of(), Processes.running("sleep", mark));
  }
}
