package harness.workspace.git;

import java.nio.file.Path;
import org.eclipse.jgit.util.QuotedString;

/**
 * How paths in a repository are shown to someone in one of its directories.
 *
 * @param prefix that directory, from the top of the worktree; empty at the top
 */
record PathDisplay(String prefix) {
  /** A path from the top of the worktree, made relative to the directory and quoted as git does. */
  String shown(String path) {
    return quoted(relative(path));
  }

  private String relative(String path) {
    if (prefix.isEmpty()) {
      return path;
    }
    String slash = path.endsWith("/") ? "/" : "";
    String relative = Path.of(prefix).relativize(Path.of(path)).toString();
    return relative.isEmpty() ? "./" : relative + slash;
  }

  /** In quotes where it holds a space, a quote, a backslash or a control character. */
  static String quoted(String path) {
    String quoted = QuotedString.GIT_PATH_MINIMAL.quote(path);
    return path.contains(" ") && quoted.equals(path) ? "\"" + path + "\"" : quoted;
  }
}
