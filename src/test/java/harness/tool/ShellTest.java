package harness.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.workspace.command.CommandRunner;
import harness.workspace.command.Sandboxes;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Commands without a sandbox. */
class ShellTest extends ShellContract {
  @Override
  CommandRunner runner() {
    return Sandboxes.none(ENVIRONMENT);
  }

  @Test
  void anAgentThatSuggestsHasNoCommandsBecauseTheyWouldWrite() {
    String told =
        place
            .with(Mode.SUGGEST)
            .error("shell", Map.of("command", "echo x > a.txt", "background", true));
    assertTrue(told.contains("withheld") && told.contains("sandbox"), told);
    assertFalse(Files.exists(place.cwd.resolve("a.txt")));
  }

  @Test
  void aProcessThatShedEveryMarkIsEndedToo() {
    shell("(setsid env -i sleep " + mark + " > /dev/null 2>&1 &)");
    assertEquals(List.of(), Processes.running("sleep", mark));
  }
}
