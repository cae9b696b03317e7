package harness.tool;

import com.fasterxml.jackson.databind.JsonNode;
import harness.workspace.git.GitBlame;
import harness.workspace.git.GitLog;
import harness.workspace.git.GitView;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Says which commit each line of a file came with. */
final class GitBlameTool implements WorkingTool {
  private static final String NOT_COMMITTED = "0000000 (not committed";
  private static final int MAX_AUTHOR_CHARS = 20;

  private static final ToolSpec SPEC =
      new ToolSpec(
          "git_blame",
          "Show for each line of a file the commit that it came with, its author and day. The file"
              + " is taken as it is now; lines that no commit has yet are marked. A relative path"
              + " resolves at the working directory.",
          Schema.object()
              .required("path", Schema.text("The file."))
              .optional("from_line", Schema.wholeNumber("The first line; 1 by default."))
              .optional("to_line", Schema.wholeNumber("The last line; by default the file's."))
              .build(),
          false);

  private final InstantSource clock;

  GitBlameTool(InstantSource clock) {
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
    int from = arguments.number("from_line", 1, 1, Integer.MAX_VALUE);
    int to = arguments.number("to_line", Integer.MAX_VALUE, 1, Integer.MAX_VALUE);
    if (to < from) {
      throw new ToolException(
          "git_blame: 'to_line' " + to + " comes before 'from_line' " + from + "; swap them");
    }
    String path = arguments.text("path");
    try (GitView view = GitSeat.open(seat)) {
      return shown(path, view.blame(path, from, to, clock));
    }
  }

  private static ToolResult shown(String path, GitBlame blame) {
    List<GitBlame.Line> lines = blame.lines();
    int width = lines.isEmpty() ? 1 : String.valueOf(lines.getLast().number()).length();
    Output output = new Output();
    int shown = 0;
    while (shown < lines.size() && output.line(line(lines.get(shown), width, blame.known()))) {
      shown++;
    }
    if (shown < lines.size()) {
      output.note(
          "cut: the file has "
              + blame.all()
              + " lines; see the next with 'from_line': "
              + lines.get(shown).number());
    }
    if (lines.isEmpty()) {
      output.note(path + " is empty");
    }
    if (blame.committed()) {
      output.note(path + " is not in the worktree; this is its version in HEAD");
    }
    if (!blame.known()) {
      output.note(
          "the origin of the lines with ? was not found within "
              + GitView.MAX_BLAME.toSeconds()
              + " s; ask for fewer lines with 'from_line' and 'to_line'");
    }
    return output.result();
  }

  private static String line(GitBlame.Line line, int width, boolean known) {
    Optional<GitLog.Commit> origin = line.origin();
    String from =
        origin
            .map(commit -> commit.shortId() + " (" + author(commit) + " " + commit.date())
            .orElse(known ? NOT_COMMITTED : "? (");
    return from + " " + ("%" + width + "d").formatted(line.number()) + ") " + line.text();
  }

  private static String author(GitLog.Commit commit) {
    String author = commit.author();
    return author.length() > MAX_AUTHOR_CHARS ? author.substring(0, MAX_AUTHOR_CHARS) : author;
  }
}
