package harness.tool;

import com.google.re2j.Pattern;
import java.util.Optional;

/** What a search looks for within a line. */
final class Wanted {
  private final String literal;
  private final Optional<Pattern> pattern;

  private Wanted(String literal, Optional<Pattern> pattern) {
    this.literal = literal;
    this.pattern = pattern;
  }

  static Wanted of(String text, boolean fixed, boolean ignoreCase) throws ToolException {
    if (text.isEmpty()) {
      throw new ToolException("grep: 'pattern' is empty; to see a whole file use read");
    }
    if (text.indexOf('\n') >= 0) {
      throw new ToolException(
          "grep: 'pattern' holds a line end, and lines are searched one by one; search for one of"
              + " its lines");
    }
    if (fixed && !ignoreCase) {
      return new Wanted(text, Optional.empty());
    }
    int flags = ignoreCase ? Pattern.CASE_INSENSITIVE : 0;
    try {
      return new Wanted(
          text, Optional.of(Expression.compile(fixed ? Pattern.quote(text) : text, flags)));
    } catch (ToolException e) {
      throw new ToolException(e.getMessage() + "; to find it as it stands, set fixed: true");
    }
  }

  /** Whether it is looked for without an expression, which is some ten times as fast. */
  boolean plain() {
    return pattern.isEmpty();
  }

  /** Where the first match begins, -1 where there is none. */
  int find(String line) {
    if (pattern.isEmpty()) {
      return line.indexOf(literal);
    }
    var matcher = pattern.get().matcher(line);
    return matcher.find() ? matcher.start() : -1;
  }
}
