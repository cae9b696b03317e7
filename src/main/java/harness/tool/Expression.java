package harness.tool;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Compiles regular expressions that run in linear time. Those whose program would be huge (counted
 * repetitions inside each other) are refused before they are built, because building it would take
 * the memory and running it the time of all other Turns.
 */
final class Expression {
  static final int MAX_CHARS = 4_096;

  /** The most instructions of a compiled expression. */
  static final int MAX_PROGRAM = 2_000;

  /** What an estimate may come to: the engine simplifies, so that the real size can be less. */
  private static final int MAX_ESTIMATE = 10 * MAX_PROGRAM;

  private static final int MAX_DEPTH = 100;

  private final String text;
  private final Deque<Long> outer = new ArrayDeque<>();
  private long size;
  private long lastAtom;
  private int at;

  private Expression(String text) {
    this.text = text;
  }

  /**
   * @throws ToolException with the engine's word about what is wrong with it
   */
  static Pattern compile(String text, int flags) throws ToolException {
    if (text.length() > MAX_CHARS) {
      throw new ToolException("the pattern is longer than " + MAX_CHARS + " characters");
    }
    try {
      if (new Expression(text).estimate() <= MAX_ESTIMATE) {
        Pattern pattern = Pattern.compile(text, flags);
        if (pattern.programSize() <= MAX_PROGRAM) {
          return pattern;
        }
      }
    } catch (PatternSyntaxException e) {
      throw new ToolException("the pattern is no regular expression: " + e.getMessage());
    }
    throw new ToolException(
        "the pattern is too large: its repetitions make more than "
            + MAX_PROGRAM
            + " steps; use smaller counts");
  }

  /** About how many instructions it takes; the largest number where it nests too deep. */
  private long estimate() {
    while (at < text.length() && size <= MAX_ESTIMATE) {
      char c = text.charAt(at++);
      switch (c) {
        case '\\' -> escape();
        case '[' -> charClass();
        case '(' -> {
          outer.push(size);
          size = 0;
          lastAtom = 0;
          groupHead();
          if (outer.size() > MAX_DEPTH) {
            return Long.MAX_VALUE;
          }
        }
        case ')' -> {
          if (!outer.isEmpty()) {
            long group = size;
            size = outer.pop();
            atom(group);
          }
        }
        case '{' -> count();
        default -> atom(1);
      }
    }
    return size;
  }

  /** What stands between the question mark of a group and its content takes no instructions. */
  private void groupHead() {
    if (text.startsWith("?", at)) {
      while (at < text.length() && ":>)".indexOf(text.charAt(at)) < 0) {
        at++;
      }
      if (at < text.length() && text.charAt(at) != ')') {
        at++;
      }
    }
  }

  private void atom(long atomSize) {
    size += atomSize;
    lastAtom = atomSize;
  }

  private void escape() {
    if (text.startsWith("Q", at)) {
      int end = text.indexOf("\\E", at);
      int stop = end < 0 ? text.length() : end;
      size += stop - at;
      at = Math.min(text.length(), stop + 2);
      lastAtom = 1;
      return;
    }
    boolean named = text.startsWith("p{", at) || text.startsWith("P{", at);
    int end = named || text.startsWith("x{", at) ? text.indexOf('}', at) : at;
    at = Math.min(text.length(), (end < 0 ? at : end) + 1);
    atom(1);
  }

  private void charClass() {
    int i = text.startsWith("^", at) ? at + 1 : at;
    if (text.startsWith("]", i)) {
      i++;
    }
    while (i < text.length() && text.charAt(i) != ']') {
      if (text.charAt(i) == '\\') {
        i++;
      } else if (text.startsWith("[:", i)) {
        int end = text.indexOf(":]", i + 2);
        i = end < 0 ? i : end + 1;
      }
      i++;
    }
    at = Math.min(text.length(), i + 1);
    atom(1);
  }

  /** A counted repetition copies what it repeats as often as it may occur. */
  private void count() {
    int end = text.indexOf('}', at);
    String[] bounds = end < 0 ? new String[0] : text.substring(at, end).split(",", -1);
    long most = 0;
    for (String bound : bounds) {
      if (!bound.matches("[0-9]{0,9}")) {
        most = 0;
        break;
      }
      most = Math.max(most, bound.isEmpty() ? 0 : Long.parseLong(bound));
    }
    if (bounds.length == 0 || bounds.length > 2 || bounds[0].isEmpty() || most == 0) {
      atom(1);
      return;
    }
    at = end + 1;
    size += lastAtom * (most - 1);
    lastAtom *= most;
  }
}
