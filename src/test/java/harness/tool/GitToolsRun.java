package harness.tool;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Calls every git tool in the working directories of some workplaces, and prints what they show.
 */
final class GitToolsRun {
  /** A tool and its arguments. Each git tool is among them, which a test keeps. */
  static final List<String> CALLS =
      List.of(
          "git_status {}",
          "git_diff {}",
          "git_diff {staged: true}",
          "git_diff {from: 'HEAD'}",
          "git_diff {from: 'HEAD~1', to: 'HEAD', stat: true}",
          "git_log {}",
          "git_log {path: 'a.txt'}",
          "git_show {rev: 'HEAD'}",
          "git_show {rev: 'HEAD:a.txt'}",
          "git_blame {path: 'a.txt'}",
          "git_add {paths: ['a.txt', 'new.txt']}",
          "git_restore {paths: ['b.txt']}",
          "git_restore {paths: ['new.txt'], staged: true}",
          "git_commit {message: 'A commit by a tool'}",
          "git_branch {}",
          "git_branch {name: 'made'}",
          "git_status {}");

  private GitToolsRun() {}

  /** Arguments: the directories of the workplaces. */
  public static void main(String[] arguments) throws Exception {
    for (String base : arguments) {
      Workplace place = Workplace.in(Path.of(base));
      for (String call : CALLS) {
        int space = call.indexOf(' ');
        ToolResult result =
            place.call(call.substring(0, space), Workplace.json(call.substring(space + 1)));
        System.out.printf(
            Locale.ROOT,
            "%s %s in %s:%n%s%n",
            result.error() ? "FAILED" : "DONE",
            call,
            place.cwd,
            result.text());
      }
    }
  }
}
