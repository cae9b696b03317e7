package harness.tool;

import harness.workspace.Wildcard;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A pattern over paths: {@code *} and {@code ?} within a name, {@code **} over whole names, {@code
 * [a-z]}, {@code [!a]}, {@code {a,b}}, and a backslash before a character that means itself.
 */
final class Glob {
  static final int MAX_CHARS = 1_000;

  /** How many patterns without braces one may stand for. */
  static final int MAX_BRANCHES = 500;

  private static final String SPECIAL = "*?[{\\";

  private final List<Branch> branches;
  private final boolean directories;
  private final boolean anyCase;

  /**
   * One of the patterns without braces.
   *
   * @param way the names that it begins with as they stand
   * @param depth how many names a path has that matches, at most
   */
  private record Branch(Wildcard pattern, List<String> way, int depth) {}

  private Glob(List<Branch> branches, boolean directories, boolean anyCase) {
    this.branches = List.copyOf(branches);
    this.directories = directories;
    this.anyCase = anyCase;
  }

  /** One over paths below where the search begins. Ends it in a slash, it means directories. */
  static Glob path(String text) throws ToolException {
    return compile(text, "", false);
  }

  /** The same where upper and lower case are one. */
  static Glob anyCase(String text) throws ToolException {
    return compile(text.toLowerCase(Locale.ROOT), "", true);
  }

  /** One that filters files: without a slash it means their names, wherever they lie. */
  static Glob filter(String text) throws ToolException {
    String plain = text.startsWith("/") ? text.substring(1) : text;
    return compile(plain, plain.equals(text) && text.indexOf('/') < 0 ? "**/" : "", false);
  }

  private static Glob compile(String given, String before, boolean anyCase) throws ToolException {
    if (given.isEmpty() || given.length() > MAX_CHARS) {
      throw new ToolException(
          given.isEmpty()
              ? "the pattern is empty; all files are **"
              : "the pattern is longer than " + MAX_CHARS + " characters");
    }
    boolean directories = given.endsWith("/");
    String text = directories ? given.substring(0, given.length() - 1) : given;
    List<Branch> branches = new ArrayList<>();
    for (String branch : Braces.expand(text, MAX_BRANCHES)) {
      branches.add(branch(before + Braces.closed(branch)));
    }
    return new Glob(branches, directories, anyCase);
  }

  private static Branch branch(String text) throws ToolException {
    Optional<Wildcard> pattern = Wildcard.of(text);
    if (pattern.isEmpty()) {
      throw new ToolException(
          "the pattern '"
              + text
              + "' names a class of characters that there is not; [[:alpha:]], [[:digit:]] and"
              + " their like are known, and \\[ is the character itself");
    }
    List<String> names = List.of(text.split("/", -1));
    List<String> way = new ArrayList<>();
    for (String name : names.subList(0, names.size() - 1)) {
      if (special(name)) {
        break;
      }
      way.add(name);
    }
    boolean bounded = !text.contains("**") && text.indexOf('[') < 0;
    return new Branch(pattern.get(), List.copyOf(way), bounded ? names.size() : Integer.MAX_VALUE);
  }

  static boolean special(String segment) {
    return segment.chars().anyMatch(c -> SPECIAL.indexOf(c) >= 0);
  }

  /** Whether it means directories instead of files. */
  boolean directories() {
    return directories;
  }

  boolean matches(String given) {
    String path = anyCase ? given.toLowerCase(Locale.ROOT) : given;
    for (Branch branch : branches) {
      if (branch.pattern().matches(path)) {
        return true;
      }
    }
    return false;
  }

  /** Whether something below the directory might match. */
  boolean reaches(String given) {
    String directory = anyCase ? given.toLowerCase(Locale.ROOT) : given;
    for (Branch branch : branches) {
      if (reaches(branch, directory)) {
        return true;
      }
    }
    return false;
  }

  private static boolean reaches(Branch branch, String directory) {
    if (branch.way().isEmpty() && branch.depth() == Integer.MAX_VALUE) {
      return true;
    }
    String[] names = directory.split("/", -1);
    if (names.length >= branch.depth()) {
      return false;
    }
    for (int i = 0; i < Math.min(names.length, branch.way().size()); i++) {
      if (!names[i].equals(branch.way().get(i))) {
        return false;
      }
    }
    return true;
  }
}
