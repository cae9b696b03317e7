package harness.tool;

import com.fasterxml.jackson.databind.JsonNode;
import harness.workspace.Target;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Puts a whole file there. */
final class WriteTool implements WorkingTool {
  /** The most that one call writes. */
  static final int MAX_CONTENT_BYTES = 16 * 1024 * 1024;

  private static final ToolSpec SPEC =
      new ToolSpec(
          "write",
          "Create a file, or replace all of its content. Missing directories are made. A relative"
              + " path resolves at the working directory.",
          Schema.object()
              .required("path", Schema.text("The file."))
              .required("content", Schema.text("All of its content."))
              .build(),
          true);

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public ToolResult call(JsonNode input, Seat seat) throws ToolException, IOException {
    Arguments arguments = Arguments.of(SPEC, input);
    String path = arguments.path("path");
    byte[] content = arguments.text("content").getBytes(StandardCharsets.UTF_8);
    if (content.length > MAX_CONTENT_BYTES) {
      throw new ToolException(
          "write takes at most "
              + MAX_CONTENT_BYTES
              + " bytes; this content has "
              + content.length
              + "; write a smaller file, or make this one by a command");
    }
    try (Target target = seat.root().target(path)) {
      boolean existed = target.current().isPresent();
      target.replace(content);
      return ToolResult.of(
          (existed ? "replaced " : "created ") + target.shown() + ": " + content.length + " bytes");
    }
  }
}
