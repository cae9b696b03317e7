package harness.tool;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;

/** Shows what a command in the background has written since it was last looked at. */
final class ShellOutputTool implements WorkingTool {
  /** How long it waits for something new. */
  static final Duration WAIT = Duration.ofSeconds(5);

  private static final ToolSpec SPEC =
      new ToolSpec(
          "shell_output",
          "Show what a command that runs in the background has written since the last look, and"
              + " whether it still runs. Waits up to "
              + WAIT.toSeconds()
              + " s for something new.",
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
    kept.command().awaitMore(kept.shownBytes(), WAIT);
    return CommandResult.of(kept);
  }
}
