package harness.tool;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;

/** Makes a directory. */
final class MakeDirectoryTool implements WorkingTool {
  private static final ToolSpec SPEC =
      new ToolSpec(
          "make_directory",
          "Make a directory, and the missing ones on the way to it. A relative path resolves at the"
              + " working directory.",
          Schema.object().required("path", Schema.text("The directory.")).build(),
          true);

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public ToolResult call(JsonNode input, Seat seat) throws ToolException, IOException {
    String path = Arguments.of(SPEC, input).path("path");
    return ToolResult.of(
        seat.root()
            .makeDirectory(path)
            .map(made -> "made the directory " + Shown.path(made))
            .orElseGet(() -> Shown.path(path) + " is there already, as a directory"));
  }
}
