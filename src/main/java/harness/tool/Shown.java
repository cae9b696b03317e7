package harness.tool;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How names are written in results, where each line stands for one. */
final class Shown {
  private static final Pattern ESCAPE = Pattern.compile("\\\\x([0-9A-Fa-f]{2})");

  private Shown() {}

  /**
   * A name or path whose control characters are written {@code \xNN}, the form that path arguments
   * take; the rest is already in that form.
   */
  static String path(String path) {
    if (path.chars().noneMatch(Shown::control)) {
      return path;
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      text.append(control(c) ? String.format(Locale.ROOT, "\\x%02X", (int) c) : c);
    }
    return text.toString();
  }

  /** The path that was meant by one in that form. */
  static String argument(String path) {
    Matcher escape = ESCAPE.matcher(path);
    return escape.replaceAll(
        match -> {
          char c = (char) Integer.parseInt(match.group(1), 16);
          return Matcher.quoteReplacement(control(c) && c != 0 ? String.valueOf(c) : match.group());
        });
  }

  private static boolean control(int c) {
    return c < ' ' || c == 0x7F;
  }
}
