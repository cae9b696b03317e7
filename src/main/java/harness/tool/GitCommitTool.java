package harness.tool;

import com.fasterxml.jackson.databind.JsonNode;
import harness.workspace.git.CommitOrder;
import harness.workspace.git.GitChanges;
import java.io.IOException;
import java.time.InstantSource;

/** Commits what is staged. */
final class GitCommitTool implements WorkingTool {
  private static final ToolSpec SPEC =
      new ToolSpec(
          "git_commit",
          "Commit what is staged in the git worktree of the working directory, and nothing else;"
              + " git_add stages files first. No hooks are run and nothing is signed. Author and"
              + " trailers are set by themselves.",
          Schema.object()
              .required(
                  "message",
                  Schema.text("What the commit does, in a line; more after an empty line."))
              .optional("allow_empty", Schema.flag("Commit even where nothing is staged."))
              .build(),
          true);

  private final InstantSource clock;

  GitCommitTool(InstantSource clock) {
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
    Credits credits = Credits.of(seat.actor(), clock.instant());
    CommitOrder order =
        new CommitOrder(
            arguments.text("message"),
            credits.trailers(),
            credits.author(),
            credits.committer(),
            arguments.flag("allow_empty"));
    try (GitChanges changes = GitChanges.open(seat.root(), clock)) {
      return GitReports.shown(changes.commit(order), "nothing was committed");
    }
  }
}
