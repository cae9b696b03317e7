package harness.tool;

import com.fasterxml.jackson.databind.JsonNode;
import harness.workspace.Moving;
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
  public ToolResult call(JsonNode input, Seat seat)
      throws ToolException, IOException, InterruptedException {
    Arguments arguments = Arguments.of(SPEC, input);
    String from = arguments.path("from");
    String to = arguments.path("to");
    ToolResult result;
    try (Moving moving = seat.root().moving(from, to)) {
      String shownFrom = Shown.path(moving.from());
      String shownTo = Shown.path(moving.to());
      result = ToolResult.of("moved " + shownFrom + " to " + shownTo);
      Known known = new Known(seat, from, shownFrom);
      known.requireFile(moving.kind());
      if (seat.suggests()) {
        String version = Version.of(moving.file());
        return new Proposing(seat)
            .from(from, version)
            .gone(from)
            .to(to, version)
            .move(shownFrom, shownTo)
            .result(result);
      }
      if (seat.mode() == Mode.ACCEPT) {
        known.require(Version.of(moving.file()));
      }
      moving.move();
    }
    // What was known of the content is known of it in its new place.
    return seat.seen()
        .version(seat.cwd(), from)
        .map(version -> result.seeing(Seen.of(seat.cwd(), to, version)))
        .orElse(result);
  }
}
