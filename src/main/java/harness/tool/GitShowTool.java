package harness.tool;

import com.fasterxml.jackson.databind.JsonNode;
import harness.workspace.git.GitDiff;
import harness.workspace.git.GitShow;
import harness.workspace.git.GitView;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/** Shows what a revision names. */
final class GitShowTool implements WorkingTool {
  private static final ToolSpec SPEC =
      new ToolSpec(
          "git_show",
          "Show a commit with its change, a tag, or with REVISION:PATH a file or directory as that"
              + " revision has it. A path starts at the top of the worktree; one that begins with"
              + " ./ resolves at the working directory.",
          Schema.object()
              .required("rev", Schema.text("Such as HEAD, main~2, 1a2b3c4, v1.0 or HEAD:./a.txt."))
              .build(),
          false);

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public ToolResult call(JsonNode input, Seat seat)
      throws ToolException, IOException, InterruptedException {
    String revision = Arguments.of(SPEC, input).text("rev").strip();
    try (GitView view = GitSeat.open(seat)) {
      GitShow show = view.show(revision);
      Output output = new Output();
      show.tags().forEach(output::line);
      return switch (show.thing()) {
        case GitShow.Thing.Commit commit -> commit(output, commit);
        case GitShow.Thing.Tree tree -> tree(output, revision, tree);
        case GitShow.Thing.Blob blob -> blob(output, revision, blob);
      };
    }
  }

  private static ToolResult commit(Output output, GitShow.Thing.Commit commit) {
    commit.header().forEach(output::line);
    GitDiff diff = commit.diff();
    if (!output.lines(diff.text())) {
      output.note(
          "cut: the whole diff has "
              + (diff.counted() ? "" : "more than ")
              + diff.bytes()
              + " bytes in "
              + diff.files()
              + " files; "
              + (commit.parent().isEmpty()
                  ? "see single files with git_show "
                      + commit.id()
                      + ":PATH; git_show "
                      + commit.id()
                      + ": lists the top directory"
                  : "see the rest with git_diff, 'from' "
                      + commit.parent()
                      + ", 'to' "
                      + commit.id()
                      + " and 'paths' or 'stat'"));
    }
    if (diff.files() == 0) {
      output.note("it changes no file");
    } else if (commit.parents() > 1) {
      output.note("a merge: the diff is against its first parent");
    }
    return output.result();
  }

  private static ToolResult tree(Output output, String revision, GitShow.Thing.Tree tree) {
    int shown = 0;
    while (shown < tree.names().size() && output.line(tree.names().get(shown))) {
      shown++;
    }
    if (shown < tree.names().size()) {
      output.note(shown + " of " + tree.names().size() + " entries are shown; name one below it");
    } else if (shown == 0) {
      output.note(revision + " is an empty directory");
    }
    return output.result();
  }

  private static ToolResult blob(Output output, String revision, GitShow.Thing.Blob blob) {
    byte[] head = Arrays.copyOf(blob.head(), Math.min(blob.head().length, BinaryKind.HEAD_BYTES));
    Optional<String> binary = BinaryKind.of(head);
    if (binary.isPresent()) {
      output.note(
          revision + " is " + binary.get() + " of " + blob.bytes() + " bytes, which is not shown");
      return output.result();
    }
    Encoding encoding = Encoding.of(blob.head());
    String text =
        new String(
            blob.head(),
            encoding.markBytes(),
            blob.head().length - encoding.markBytes(),
            encoding.charset());
    if (!output.lines(text) || blob.head().length < blob.bytes()) {
      output.note(
          "cut: the file has "
              + blob.bytes()
              + " bytes in all; 'git show "
              + revision
              + "' in the shell shows the rest");
    }
    if (blob.bytes() == 0) {
      output.note(revision + " is an empty file");
    }
    if (blob.pointer()) {
      output.note("a pointer of git LFS: the content itself is not in git");
    }
    return output.result();
  }
}
