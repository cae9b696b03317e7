package harness.tool;

import com.fasterxml.jackson.databind.JsonNode;
import harness.workspace.git.DiffQuery;
import harness.workspace.git.GitDiff;
import harness.workspace.git.GitView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Compares two of revision, index and worktree. */
final class GitDiffTool implements WorkingTool {
  private static final ToolSpec SPEC =
      new ToolSpec(
          "git_diff",
          "Show what changed in the git worktree as a unified diff: by default the files against"
              + " the index, with 'staged' the index against HEAD, with 'from' the files against a"
              + " revision, with 'from' and 'to' two revisions. Untracked files are not in it. A"
              + " relative path resolves at the working directory.",
          Schema.object()
              .optional("from", Schema.text("A revision, such as HEAD, main or HEAD~2."))
              .optional("to", Schema.text("The revision to compare 'from' with."))
              .optional("staged", Schema.flag("Compare the index instead of the files."))
              .optional(
                  "paths",
                  Schema.list("Only these and what is below them.", Schema.text("A path.")))
              .optional("stat", Schema.flag("How many lines changed in each file, not which."))
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
    DiffQuery query =
        new DiffQuery(
            revision(arguments, "from"),
            revision(arguments, "to"),
            arguments.flag("staged"),
            arguments.texts("paths"),
            arguments.flag("stat"));
    if (query.to().isPresent() && query.from().isEmpty()) {
      throw new ToolException("git_diff: 'to' needs 'from', the revision that it is compared with");
    }
    if (query.to().isPresent() && query.staged()) {
      throw new ToolException("git_diff: 'staged' compares the index; leave it or 'to' out");
    }
    try (GitView view = GitSeat.open(seat)) {
      GitDiff diff = view.diff(query);
      return show(diff, notes(query, view, diff));
    }
  }

  private static Optional<String> revision(Arguments arguments, String name) throws ToolException {
    return arguments.optionalText(name).filter(revision -> !revision.isBlank());
  }

  private static List<String> notes(DiffQuery query, GitView view, GitDiff diff) {
    List<String> notes = new ArrayList<>();
    if (diff.files() == 0) {
      notes.add(
          query.paths().isEmpty()
              ? "no differences"
              : "no differences in " + String.join(", ", query.paths()));
    } else if (!view.prefix().isEmpty()) {
      notes.add("the paths in it start at the top of the worktree, " + view.worktree());
    }
    if (diff.untracked() > 0) {
      notes.add("not in it: " + diff.untracked() + " untracked, which git_status lists");
    }
    if (!diff.filtered().isEmpty()) {
      notes.add(filtered(diff.filtered()));
    }
    return notes;
  }

  private static String filtered(List<String> paths) {
    int others = paths.size() - 1;
    return Shown.path(paths.getFirst())
        + (others == 0 ? " has" : " and " + others + " more have")
        + " a filter, which is not run here: of a file of Git LFS the pointer is compared, of others"
        + " the file as it is";
  }

  private static ToolResult show(GitDiff diff, List<String> notes) {
    Output output = new Output();
    int shown = 0;
    String text = diff.text();
    while (shown < text.length()) {
      int end = text.indexOf('\n', shown);
      end = end < 0 ? text.length() : end;
      if (!output.line(text.substring(shown, end))) {
        break;
      }
      shown = Math.min(text.length(), end + 1);
    }
    if (!output.full()) {
      StringBuilder whole = new StringBuilder(text);
      notes.forEach(note -> whole.append('[').append(note).append("]\n"));
      return ToolResult.of(whole.substring(0, whole.length() - 1));
    }
    output.note(
        "cut: the whole diff has "
            + (diff.counted() ? "" : "more than ")
            + diff.bytes()
            + " bytes in "
            + diff.files()
            + " files; see the rest with 'paths', or all of it in short with 'stat'");
    notes.forEach(output::note);
    return new ToolResult(false, output.result().text(), diff.bytes(), true);
  }
}
