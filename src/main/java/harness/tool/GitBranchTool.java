package harness.tool;

import com.fasterxml.jackson.databind.JsonNode;
import harness.agent.Access;
import harness.workspace.git.GitChanges;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;

/** Lists branches, and makes one. */
final class GitBranchTool implements WorkingTool {
  private static final ToolSpec SPEC =
      new ToolSpec(
          "git_branch",
          "List the branches of the working directory's repository, * before the one that is"
              + " checked out here and + before those in other worktrees; or with 'name' make a"
              + " branch, which is not checked out.",
          Schema.object()
              .optional("name", Schema.text("The branch to make."))
              .optional("from", Schema.text("The revision that it starts at; HEAD by default."))
              .build(),
          false);

  private final InstantSource clock;

  GitBranchTool(InstantSource clock) {
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
    Optional<String> name = arguments.optionalText("name").filter(given -> !given.isBlank());
    Optional<String> from = arguments.optionalText("from").filter(given -> !given.isBlank());
    if (name.isEmpty() && from.isPresent()) {
      throw new ToolException("git_branch: 'from' needs 'name', the branch to make there");
    }
    // Listing is reading, so the tool is there for every access and this is asked here.
    if (name.isPresent() && seat.access() != Access.WRITE) {
      throw new ToolException(
          "git_branch with 'name' is withheld: this Agent's workspace access is read; leave 'name'"
              + " out to list the branches");
    }
    if (name.isPresent() && seat.suggests()) {
      throw new ToolException(
          "git_branch with 'name' is withheld: "
              + ToolBox.SUGGESTS_FILES
              + "; leave 'name' out to"
              + " list the branches");
    }
    try (GitChanges changes = GitChanges.open(seat.root(), clock)) {
      return name.isEmpty()
          ? GitReports.shown(
              changes.branches(),
              "there is no branch yet",
              "more branches; 'git branch --list PATTERN' in the shell shows some of them")
          : GitReports.shown(
              changes.branch(
                  name.get(), from, Credits.of(seat.actor(), clock.instant()).committer()),
              "nothing was made");
    }
  }
}
