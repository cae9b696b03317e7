package harness.tool;

import com.fasterxml.jackson.databind.JsonNode;
import harness.workspace.git.GitChanges;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;

/** Stages files. */
final class GitAddTool implements WorkingTool {
  private static final ToolSpec SPEC =
      new ToolSpec(
          "git_add",
          "Stage files for the next commit as they are now, deletions included; a directory stands"
              + " for all below it. What .gitignore excludes is left out unless the file itself is"
              + " named. A relative path resolves at the working directory.",
          Schema.object()
              .required(
                  "paths",
                  Schema.list(
                      "What to stage; . for the whole working directory.", Schema.text("A path.")))
              .build(),
          true);

  private final InstantSource clock;

  GitAddTool(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public ToolResult call(JsonNode input, Seat seat)
      throws ToolException, IOException, InterruptedException {
    List<String> paths = Arguments.of(SPEC, input).texts("paths");
    if (paths.isEmpty()) {
      throw new ToolException("git_add: 'paths' is empty; '.' is the whole working directory");
    }
    try (GitChanges changes = GitChanges.open(seat.root(), clock)) {
      return GitReports.shown(changes.add(paths), "nothing to stage: the index has it all already");
    }
  }
}
