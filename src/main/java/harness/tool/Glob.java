package harness.tool;

import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.List;

/**
 * A pattern over paths: {@code *} and {@code ?} within a name, {@code **} over whole names, {@code
 * [a-z]}, {@code [!a]}, {@code {a,b}}, and a backslash before a character that means itself.
 */
final class Glob {
  static final int MAX_CHARS = 1_000;

  private static final String SPECIAL = "*?[{\\";

  private final Pattern pattern;
  private final List<String> literal;
  private final int depth;
  private final boolean directories;

  private Glob(Pattern pattern, List<String> literal, int depth, boolean directories) {
    this.pattern = pattern;
    this.literal = literal;
    this.depth = depth;
    this.directories = directories;
  }

  /** One over paths below where the search begins. Ends it in a slash, it means directories. */
  static Glob path(String text) throws ToolException {
    return compile(text, "");
  }

  /** One that filters files: without a slash it means their names, wherever they lie. */
  static Glob filter(String text) throws ToolException {
    String plain = text.startsWith("/") ? text.substring(1) : text;
    return compile(plain, plain.equals(text) && text.indexOf('/') < 0 ? "**/" : "");
  }

  private static Glob compile(String given, String before) throws ToolException {
    if (given.isEmpty() || given.length() > MAX_CHARS) {
      throw new ToolException(
          given.isEmpty()
              ? "the pattern is empty; all files are **"
              : "the pattern is longer than " + MAX_CHARS + " characters");
    }
    boolean directories = given.endsWith("/");
    String text = before + (directories ? given.substring(0, given.length() - 1) : given);
    List<String> segments = List.of(text.split("/", -1));
    List<String> literal = new ArrayList<>();
    for (String segment : segments.subList(0, segments.size() - 1)) {
      if (special(segment)) {
        break;
      }
      literal.add(segment);
    }
    boolean bounded = !text.contains("**") && text.indexOf('{') < 0 && text.indexOf('[') < 0;
    return new Glob(
        Expression.compile(new Translation(text).expression(), Pattern.DOTALL),
        List.copyOf(literal),
        bounded ? segments.size() : Integer.MAX_VALUE,
        directories);
  }

  static boolean special(String segment) {
    return segment.chars().anyMatch(c -> SPECIAL.indexOf(c) >= 0);
  }

  /** Whether it means directories instead of files. */
  boolean directories() {
    return directories;
  }

  boolean matches(String path) {
    return pattern.matches(path);
  }

  /** Whether something below the directory might match. */
  boolean reaches(String directory) {
    String[] segments = directory.split("/", -1);
    if (segments.length >= depth) {
      return false;
    }
    for (int i = 0; i < Math.min(segments.length, literal.size()); i++) {
      if (!segments[i].equals(literal.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** Writes a glob as a regular expression. */
  private static final class Translation {
    private final String text;
    private final StringBuilder expression = new StringBuilder();
    private int at;
    private int braces;
    private boolean segmentStart = true;

    Translation(String text) {
      this.text = text;
    }

    String expression() {
      while (at < text.length()) {
        boolean starts = segmentStart;
        char c = text.charAt(at++);
        segmentStart = c == '/';
        switch (c) {
          case '*' -> star(starts);
          case '?' -> expression.append("[^/]");
          case '[' -> charClass();
          case '{' -> {
            if (closes()) {
              braces++;
              expression.append("(?:");
              segmentStart = starts;
            } else {
              literal(c);
            }
          }
          case '}' -> {
            if (braces > 0) {
              braces--;
              expression.append(')');
            } else {
              literal(c);
            }
          }
          case ',' -> {
            if (braces > 0) {
              expression.append('|');
              // Whether the brace began a segment is not kept; text before it decides seldom.
              segmentStart = true;
            } else {
              literal(c);
            }
          }
          case '\\' -> literal(at < text.length() ? text.charAt(at++) : c);
          default -> literal(c);
        }
      }
      return expression.toString();
    }

    private void star(boolean starts) {
      if (!text.startsWith("*", at)) {
        expression.append("[^/]*");
        return;
      }
      while (text.startsWith("*", at)) {
        at++;
      }
      boolean whole = at == text.length() || "/,}".indexOf(text.charAt(at)) >= 0;
      if (!starts || !whole) {
        expression.append("[^/]*");
      } else if (text.startsWith("/", at)) {
        at++;
        expression.append("(?:[^/]+/)*");
        segmentStart = true;
      } else {
        expression.append(".+");
      }
    }

    /** Whether the brace that was just read has its end. */
    private boolean closes() {
      int open = 1;
      for (int i = at; i < text.length() && open > 0; i++) {
        switch (text.charAt(i)) {
          case '\\' -> i++;
          case '{' -> open++;
          case '}' -> open--;
          default -> {}
        }
        if (open == 0) {
          return true;
        }
      }
      return false;
    }

    private void charClass() {
      int end = at;
      boolean negated = text.startsWith("!", end) || text.startsWith("^", end);
      if (negated) {
        end++;
      }
      int first = end;
      if (text.startsWith("]", end)) {
        end++;
      }
      while (end < text.length() && text.charAt(end) != ']') {
        end += text.charAt(end) == '\\' ? 2 : 1;
      }
      if (end >= text.length()) {
        literal('[');
        return;
      }
      expression.append(negated ? "[^/" : "[");
      for (int i = first; i < end; i++) {
        char c = text.charAt(i);
        if (c == '\\' && i + 1 < end) {
          c = text.charAt(++i);
          expression.append('\\').append(c);
        } else if ("[]\\^&~".indexOf(c) >= 0) {
          expression.append('\\').append(c);
        } else {
          expression.append(c);
        }
      }
      expression.append(']');
      at = end + 1;
    }

    private void literal(char c) {
      if ("\\.+*?()|[]{}^$".indexOf(c) >= 0) {
        expression.append('\\');
      }
      expression.append(c);
    }
  }
}
