package harness.tool;

import com.fasterxml.jackson.databind.JsonNode;
import harness.workspace.git.GitChanges;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;

/** Takes changes back. */
final class GitRestoreTool implements WorkingTool {
  private static final ToolSpec SPEC =
      new ToolSpec(
          "git_restore",
          "Take changes back: give files the content that is staged, or with 'staged' unstage them,"
              + " which makes the index as HEAD and leaves the files as they are. Changes to files"
              + " that are not staged are lost. A relative path resolves at the working directory.",
          Schema.object()
              .required(
                  "paths",
                  Schema.list(
                      "Files, and directories for all below them; . for the whole working"
                          + " directory.",
                      Schema.text("A path.")))
              .optional("staged", Schema.flag("Unstage instead of changing files."))
              .build(),
          true);

  private final InstantSource clock;

  GitRestoreTool(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public ToolResult call(JsonNode input, Seat seat)
      throws ToolException, IOException, InterruptedException {
    Arguments arguments = Arguments.of(SPEC, input);
    List<String> paths = arguments.texts("paths");
    if (paths.isEmpty()) {
      throw new ToolException("git_restore: 'paths' is empty; '.' is the whole working directory");
    }
    try (GitChanges changes = GitChanges.open(seat.root(), clock)) {
      return arguments.flag("staged")
          ? GitReports.shown(changes.unstage(paths), "nothing of it is staged")
          : GitReports.shown(
              changes.restore(paths), "nothing to restore: the files are as they are staged");
    }
  }
}
