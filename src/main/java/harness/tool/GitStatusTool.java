package harness.tool;

import com.fasterxml.jackson.databind.JsonNode;
import harness.workspace.git.GitStatus;
import harness.workspace.git.GitView;
import java.io.IOException;
import java.util.List;

/** Shows the branch and what is not as its last commit has it. */
final class GitStatusTool implements WorkingTool {
  private static final ToolSpec SPEC =
      new ToolSpec(
          "git_status",
          "Show the branch and every changed, untracked and conflicting path of the git worktree,"
              + " in the form of git status --short --branch. Paths are relative to the working"
              + " directory.",
          Schema.object().build(),
          false);

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public ToolResult call(JsonNode input, Seat seat)
      throws ToolException, IOException, InterruptedException {
    Arguments.of(SPEC, input);
    try (GitView view = GitSeat.open(seat)) {
      GitStatus status = view.status();
      List<String> lines = view.lines(status);
      Output output = new Output();
      output.line("## " + status.branch());
      int shown = 0;
      while (shown < lines.size() && output.line(lines.get(shown))) {
        shown++;
      }
      long all = lines.size() + status.more();
      if (all == 0) {
        output.note("nothing to commit, working tree clean");
      } else if (shown < all) {
        output.note(
            shown
                + " of "
                + all
                + " paths are shown; see the changed ones of one directory with git_diff, its"
                + " 'paths' and 'stat'");
      }
      if (status.filtered() > 0) {
        output.note(
            status.filtered()
                + " of the changed have a filter, which is not run here; with it git may find some"
                + " of them unchanged");
      }
      ToolResult result = output.result();
      return shown < all ? ToolResult.partial(result.text()) : result;
    }
  }
}
