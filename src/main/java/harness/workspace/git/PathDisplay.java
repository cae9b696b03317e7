package harness.workspace.git;

import java.util.Arrays;
import org.eclipse.jgit.util.QuotedString;

/**
 * How paths in a repository are shown to someone in one of its directories.
 *
 * @param prefix that directory, from the top of the worktree; empty at the top
 */
record PathDisplay(String prefix) {
  /**
   * A path from the top of the worktree, made relative to the directory and quoted as git's short
   * status does.
   */
  String shown(String path) {
    String relative = relative(path);
    String quoted = quoted(relative);
    return relative.contains(" ") && quoted.equals(relative) ? "\"" + relative + "\"" : quoted;
  }

  /** The path made relative to the directory. */
  String relative(String path) {
    if (prefix.isEmpty()) {
      return path;
    }
    String[] from = prefix.split("/", -1);
    String[] to = path.split("/", -1);
    int common = 0;
    while (common < from.length && common < to.length - 1 && from[common].equals(to[common])) {
      common++;
    }
    String rest = String.join("/", Arrays.asList(to).subList(common, to.length));
    String relative = "../".repeat(from.length - common) + rest;
    return relative.isEmpty() ? "./" : relative;
  }

  /** In quotes where it holds a quote, a backslash or a control character. */
  static String quoted(String path) {
    return QuotedString.GIT_PATH_MINIMAL.quote(path);
  }

  /** A rename with what both paths share written once: {@code src/{a => b}/x.txt}. */
  static String renamed(String from, String to) {
    if (!quoted(from).equals(from) || !quoted(to).equals(to)) {
      return quoted(from) + " => " + quoted(to);
    }
    int prefix = 0;
    for (int i = 0; i < Math.min(from.length(), to.length()); i++) {
      if (from.charAt(i) != to.charAt(i)) {
        break;
      }
      if (from.charAt(i) == '/') {
        prefix = i + 1;
      }
    }
    // The slash that ends the prefix may begin the suffix too.
    int least = Math.max(0, prefix - 1);
    int suffix = 0;
    for (int i = 1; i <= Math.min(from.length(), to.length()) - least; i++) {
      char c = from.charAt(from.length() - i);
      if (c != to.charAt(to.length() - i)) {
        break;
      }
      if (c == '/') {
        suffix = i;
      }
    }
    if (prefix + suffix == 0) {
      return from + " => " + to;
    }
    return from.substring(0, prefix)
        + "{"
        + from.substring(prefix, Math.max(prefix, from.length() - suffix))
        + " => "
        + to.substring(prefix, Math.max(prefix, to.length() - suffix))
        + "}"
        + from.substring(from.length() - suffix);
  }
}
