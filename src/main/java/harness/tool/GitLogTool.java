package harness.tool;

import com.fasterxml.jackson.databind.JsonNode;
import harness.workspace.git.GitLog;
import harness.workspace.git.GitView;
import java.io.IOException;

/** Lists the commits that HEAD leads to, the newest first. */
final class GitLogTool implements WorkingTool {
  private static final int DEFAULT_COMMITS = 20;

  private static final ToolSpec SPEC =
      new ToolSpec(
          "git_log",
          "List commits of the current branch, the newest first, one in a line: short id, day,"
              + " author, subject. A relative path resolves at the working directory.",
          Schema.object()
              .optional("max", Schema.wholeNumber("How many; 20 by default."))
              .optional("path", Schema.text("Only commits that changed this file or directory."))
              .build(),
          false);

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public ToolResult call(JsonNode input, Seat seat)
      throws ToolException, IOException, InterruptedException {
    Arguments arguments = Arguments.of(SPEC, input);
    int max = arguments.number("max", DEFAULT_COMMITS, 1, GitView.MAX_COMMITS);
    try (GitView view = GitSeat.open(seat)) {
      GitLog log = view.log(max, arguments.optionalText("path"));
      Output output = new Output();
      int shown = 0;
      while (shown < log.commits().size() && output.line(line(log.commits().get(shown)))) {
        shown++;
      }
      if (shown == 0) {
        output.note(
            arguments.has("path")
                ? "no commit changed " + arguments.text("path")
                : "there is no commit yet");
      } else if (output.full()) {
        output.note(shown + " commits fit here; see the rest with git_log and a 'path'");
      } else if (log.more()) {
        output.note(older(shown));
      }
      return output.result();
    }
  }

  private static String older(int shown) {
    return shown < GitView.MAX_COMMITS
        ? "there are older commits; see them with 'max': "
            + Math.min(GitView.MAX_COMMITS, 2 * shown)
        : "there are older commits; see those of a file with 'path'";
  }

  private static String line(GitLog.Commit commit) {
    return commit.shortId() + " " + commit.date() + " " + commit.author() + ": " + commit.subject();
  }
}
