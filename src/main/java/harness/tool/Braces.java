package harness.tool;

import java.util.ArrayList;
import java.util.List;

/** Writes a pattern with braces as those that it stands for. */
final class Braces {
  private Braces() {}

  /**
   * {@code a{b,c}} as {@code ab} and {@code ac}. A brace without its end, or behind a backslash, is
   * a character like others.
   */
  static List<String> expand(String pattern, int most) throws ToolException {
    List<String> done = new ArrayList<>();
    List<String> todo = new ArrayList<>(List.of(pattern));
    while (!todo.isEmpty()) {
      String text = todo.removeFirst();
      int open = open(text);
      if (open < 0) {
        done.add(text);
      } else {
        int close = close(text, open);
        String after = text.substring(close + 1);
        List<String> options = new ArrayList<>();
        for (String option : options(text.substring(open + 1, close))) {
          options.add(text.substring(0, open) + option + after);
        }
        todo.addAll(0, options);
      }
      if (done.size() + todo.size() > most) {
        throw new ToolException(
            "the pattern's braces stand for more than " + most + " patterns; use fewer, or **");
      }
    }
    return done;
  }

  /** A pattern in which a bracket without its end, and a backslash at the end, mean themselves. */
  static String closed(String pattern) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      int end = c == '[' ? classEnd(pattern, i) : c == '\\' ? i + 1 : i;
      if (end == pattern.length() || (c == '[' && end == i)) {
        text.append('\\');
      }
      end = Math.min(end, pattern.length() - 1);
      text.append(pattern, i, end + 1);
      i = end;
    }
    return text.toString();
  }

  /** The first brace that has its end; -1 where there is none. */
  private static int open(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\') {
        i++;
      } else if (c == '[') {
        i = classEnd(text, i);
      } else if (c == '{' && close(text, i) > 0) {
        return i;
      }
    }
    return -1;
  }

  private static int close(String text, int open) {
    int depth = 0;
    for (int i = open; i < text.length(); i++) {
      switch (text.charAt(i)) {
        case '\\' -> i++;
        case '[' -> i = classEnd(text, i);
        case '{' -> depth++;
        case '}' -> {
          if (--depth == 0) {
            return i;
          }
        }
        default -> {}
      }
    }
    return -1;
  }

  /**
   * Where a class of characters ends that begins at a place; the place itself where it does not.
   */
  private static int classEnd(String text, int at) {
    int i = at + 1;
    if (i < text.length() && (text.charAt(i) == '!' || text.charAt(i) == '^')) {
      i++;
    }
    int end = text.indexOf(']', i + 1);
    return end < 0 ? at : end;
  }

  private static List<String> options(String inside) {
    List<String> options = new ArrayList<>();
    int depth = 0;
    int start = 0;
    for (int i = 0; i < inside.length(); i++) {
      switch (inside.charAt(i)) {
        case '\\' -> i++;
        case '[' -> i = classEnd(inside, i);
        case '{' -> depth++;
        case '}' -> depth--;
        case ',' -> {
          if (depth == 0) {
            options.add(inside.substring(start, i));
            start = i + 1;
          }
        }
        default -> {}
      }
    }
    options.add(inside.substring(start));
    return options;
  }
}
