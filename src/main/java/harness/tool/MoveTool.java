package harness.tool;

import com.fasterxml.jackson.databind.JsonNode;
import harness.workspace.Root;
import java.io.IOException;

/** Gives a file, link or directory another place. */
final class MoveTool implements WorkingTool {
  private static final ToolSpec SPEC =
      new ToolSpec(
          "move",
          "Move or rename a file, link or directory. Nothing may be at the new path; missing"
              + " directories on the way to it are made. A relative path resolves at the working"
              + " directory.",
          Schema.object()
              .required("from", Schema.text("What to move."))
              .required("to", Schema.text("Its new path, with its new name."))
              .build(),
          true);

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public ToolResult call(JsonNode input, Seat seat) throws ToolException, IOException {
    Arguments arguments = Arguments.of(SPEC, input);
    String from = arguments.path("from");
    String to = arguments.path("to");
    Root.Moved moved = seat.root().move(from, to);
    ToolResult result =
        ToolResult.of("moved " + Shown.path(moved.from()) + " to " + Shown.path(moved.to()));
    // What was known of the content is known of it in its new place.
    return seat.seen()
        .version(seat.cwd(), from)
        .map(version -> result.seeing(Seen.of(seat.cwd(), to, version)))
        .orElse(result);
  }
}
