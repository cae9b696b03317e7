package harness.tool;

import harness.workspace.git.GitReport;

/** Shows what a change to a repository did. */
final class GitReports {
  private static final int MAX_NOTES = 40;

  private GitReports() {}

  /**
   * @param nothing what to say where nothing was done
   */
  static ToolResult shown(GitReport report, String nothing) {
    return shown(
        report, nothing, "more paths, all of them done too; git_status and git_diff show them");
  }

  /**
   * @param more what to say, after their number, of the lines that had no room
   */
  static ToolResult shown(GitReport report, String nothing, String more) {
    Output output = new Output();
    int shown = 0;
    while (shown < report.lines().size() && output.line(report.lines().get(shown))) {
      shown++;
    }
    if (shown < report.lines().size()) {
      output.note("and " + (report.lines().size() - shown) + " " + more);
    }
    if (report.lines().isEmpty()) {
      output.note(nothing);
    }
    report.notes().stream().limit(MAX_NOTES).forEach(output::note);
    if (report.notes().size() > MAX_NOTES) {
      output.note("and " + (report.notes().size() - MAX_NOTES) + " more notes like these");
    }
    return output.result();
  }
}
