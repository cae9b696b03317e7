package harness.tool;

import harness.workspace.Name;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/** Paths as the headers of a patch write them. */
final class PatchPath {
  static final String NOTHING = "/dev/null";

  /** The most paths that are taken from a patch. */
  private static final int MAX_PATHS = 2 * ApplyPatchTool.MAX_FILES;

  private static final String ESCAPES = "abtnvfr\"\\";
  private static final String ESCAPED = "\u0007\b\t\n\u000B\f\r\"\\";

  private PatchPath() {}

  /** The paths behind {@code ---} and {@code +++}; empty for nothing. */
  record Pair(Optional<String> before, Optional<String> after) {
    /**
     * Without the letters that git puts in front of them; where two names differ in more than these
     * and no rename is told, the new one is meant, as in a diff of a file and its backup.
     */
    static Pair of(String before, String after) {
      boolean lettered = lettered(before) && lettered(after);
      if (before.equals(NOTHING) || after.equals(NOTHING)) {
        return new Pair(alone(before, 'a'), alone(after, 'b'));
      }
      String meant = lettered && before.charAt(0) != after.charAt(0) ? after.substring(2) : after;
      return new Pair(Optional.of(meant), Optional.of(meant));
    }

    private static Optional<String> alone(String path, char letter) {
      if (path.equals(NOTHING)) {
        return Optional.empty();
      }
      boolean prefixed = lettered(path) && path.charAt(0) == letter;
      return Optional.of(prefixed ? path.substring(2) : path);
    }
  }

  private static boolean lettered(String path) {
    return path.length() > 2
        && path.charAt(0) >= 'a'
        && path.charAt(0) <= 'z'
        && path.charAt(1) == '/';
  }

  /** The path in a header line: in quotes as git writes it, or up to a tab. */
  static String read(String written) {
    if (written.startsWith("\"")) {
      int end = closing(written, 0);
      if (end > 0) {
        return unquoted(written.substring(1, end));
      }
    }
    int tab = written.indexOf('\t');
    return Shown.argument((tab < 0 ? written : written.substring(0, tab)).stripTrailing());
  }

  /** The two paths of {@code diff --git}, where they are the same file; else empty. */
  static Optional<Pair> git(String rest) {
    if (rest.startsWith("\"")) {
      int end = closing(rest, 0);
      return end > 0 && end + 2 < rest.length()
          ? Optional.of(Pair.of(read(rest), read(rest.substring(end + 2))))
          : Optional.empty();
    }
    // Both names are as long, so that one space alone can stand between them.
    String plain = read(rest);
    int middle = plain.length() / 2;
    if (plain.length() % 2 == 1 && plain.charAt(middle) == ' ') {
      Optional<Pair> pair = same(plain.substring(0, middle), plain.substring(middle + 1));
      if (pair.isPresent()) {
        return pair;
      }
    }
    // Where the second one alone is in quotes, what they end is known only when it is read.
    for (int space = rest.indexOf(" \""); space > 0; space = rest.indexOf(" \"", space + 1)) {
      int end = closing(rest, space + 1);
      String after = unquoted(rest.substring(space + 2, Math.max(space + 2, end)));
      if (end > 0 && after.length() == space) {
        Optional<Pair> pair = same(rest.substring(0, space), after);
        if (pair.isPresent()) {
          return pair;
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<Pair> same(String before, String after) {
    boolean lettered = lettered(before) && lettered(after);
    return before.equals(after) || (lettered && before.substring(2).equals(after.substring(2)))
        ? Optional.of(Pair.of(before, after))
        : Optional.empty();
  }

  /** Where the quote ends that begins at a place; -1 where it does not. */
  private static int closing(String quoted, int from) {
    for (int i = from + 1; i < quoted.length(); i++) {
      if (quoted.charAt(i) == '\\') {
        i++;
      } else if (quoted.charAt(i) == '"') {
        return i;
      }
    }
    return -1;
  }

  private static String unquoted(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < text.length(); ) {
      int escape = text.charAt(i) == '\\' && i + 1 < text.length() ? i + 1 : -1;
      if (escape > 0 && octal(text, escape)) {
        bytes.write(Integer.parseInt(text.substring(escape, escape + 3), 8));
        i += 4;
      } else if (escape > 0 && ESCAPES.indexOf(text.charAt(escape)) >= 0) {
        bytes.write(ESCAPED.charAt(ESCAPES.indexOf(text.charAt(escape))));
        i += 2;
      } else {
        int next = text.offsetByCodePoints(i, 1);
        bytes.writeBytes(text.substring(i, next).getBytes(StandardCharsets.UTF_8));
        i = next;
      }
    }
    return Name.textOf(bytes.toByteArray());
  }

  private static boolean octal(String text, int at) {
    return at + 3 <= text.length()
        && digit(text, at) < 4
        && digit(text, at + 1) < 8
        && digit(text, at + 2) < 8;
  }

  /** The value of a digit; beyond all digits where there is none. */
  private static int digit(String text, int at) {
    char c = text.charAt(at);
    return c >= '0' && c <= '9' ? c - '0' : 10;
  }

  /** Every path that a text might name as a patch, whether it is a good one or not. */
  static Set<String> named(String patch) {
    Set<String> paths = new LinkedHashSet<>();
    if (!patch.contains("+++ ") && !patch.contains("diff --git ")) {
      return paths;
    }
    patch
        .lines()
        .filter(line -> line.startsWith("--- ") || line.startsWith("+++ "))
        .map(line -> read(line.substring(4)))
        .takeWhile(_ -> paths.size() < MAX_PATHS)
        .forEach(path -> both(paths, path));
    patch
        .lines()
        .filter(line -> line.startsWith("rename ") || line.startsWith("copy "))
        .map(line -> read(line.replaceFirst("^(rename|copy) (from|to) ", "")))
        .takeWhile(_ -> paths.size() < 2 * MAX_PATHS)
        .forEach(path -> both(paths, path));
    return paths;
  }

  private static void both(Set<String> paths, String path) {
    paths.add(path);
    if (lettered(path)) {
      paths.add(path.substring(2));
    }
  }
}
