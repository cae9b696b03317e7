package harness.tool;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;

/** Ends a command in the background. */
final class ShellStopTool implements WorkingTool {
  private static final ToolSpec SPEC =
      new ToolSpec(
          "shell_stop",
          "End a command that runs in the background, with all that it started, and show what it"
              + " has written since the last look.",
          Schema.object().required("handle", Schema.text("What shell returned for it.")).build(),
          false);

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public ToolResult call(JsonNode input, Seat seat)
      throws ToolException, IOException, InterruptedException {
    Commands.Kept kept = seat.commands().find(Arguments.of(SPEC, input).text("handle").strip());
    kept.command().stop();
    kept.command().await();
    return CommandResult.of(kept);
  }
}
