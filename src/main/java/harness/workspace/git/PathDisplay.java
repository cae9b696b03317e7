package harness.workspace.git;

import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jgit.util.QuotedString;

/**
 * How paths in a repository are shown to someone in one of its directories.
 *
 * @param prefix that directory, from the top of the worktree; empty at the top
 */
record PathDisplay(String prefix) {
  private static final Pattern BYTE = Pattern.compile("\\\\x(?:[89A-F][0-9A-F]|5C)");

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

  /**
   * In quotes where it holds a quote, a backslash or a control character. A byte that is no UTF-8
   * stays in the form that path arguments take, {@code \\xNN}.
   */
  static String quoted(String path) {
    StringBuilder text = new StringBuilder();
    boolean quotes = false;
    int at = 0;
    for (Matcher escape = BYTE.matcher(path); escape.find(); at = escape.end()) {
      quotes |= append(text, path.substring(at, escape.start()));
      text.append(escape.group());
    }
    quotes |= append(text, path.substring(at));
    return quotes ? "\"" + text + "\"" : text.toString();
  }

  /** Whether the part has to be in quotes. */
  private static boolean append(StringBuilder text, String part) {
    if (part.isEmpty()) {
      return false;
    }
    String quoted = QuotedString.GIT_PATH_MINIMAL.quote(part);
    boolean quotes = !quoted.equals(part);
    text.append(quotes ? quoted.substring(1, quoted.length() - 1) : part);
    return quotes;
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
