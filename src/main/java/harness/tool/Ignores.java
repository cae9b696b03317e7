package harness.tool;

import harness.workspace.Directory;
import harness.workspace.FileHandle;
import harness.workspace.PathException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jgit.ignore.FastIgnoreRule;
import org.eclipse.jgit.ignore.IgnoreNode;

/**
 * What the {@code .gitignore} files on the way to a directory say, the innermost first.
 *
 * @param levels from the outermost
 */
record Ignores(List<Level> levels) {
  static final String FILE_NAME = ".gitignore";
  static final Ignores NONE = new Ignores(List.of());

  /** How much of one such file is read. */
  private static final int MAX_FILE_BYTES = 256 * 1024;

  private static final int MAX_RULES = 5_000;
  private static final int MAX_RULE_CHARS = 1_000;

  /**
   * JGit matches with {@code java.util.regex}, which goes back and forth: with more stars than this
   * in one name, a single rule could take a minute for a single file.
   */
  private static final int MAX_STARS_IN_NAME = 3;

  /**
   * What JGit turns into an expression of its own making alone: other backslashes and classes go
   * into it as they stand, or are refused with a stack trace in the log. A rule that is not like
   * this is left out, so that what it means is shown rather than hidden.
   */
  private static final Pattern PLAIN =
      Pattern.compile(
          "(?:[^\\\\\\[]|\\\\[ *?\\[#!]"
              + "|\\[[!^]?(?:\\w-\\w|[\\w.,~@+= ]|\\[:(?:alnum|alpha|digit|lower|upper|space):\\])++\\])*+");

  private static final Pattern RANGE = Pattern.compile("(\\w)-(\\w)");

  /** The rules of the file in one directory, given by its absolute path. */
  private record Level(String directory, IgnoreNode rules) {}

  /** With the rules of a directory, where it has any. */
  Ignores with(Directory directory, String absolute) throws IOException, InterruptedException {
    byte[] bytes;
    try (FileHandle file = directory.file(FILE_NAME)) {
      bytes = Blocks.head(file, MAX_FILE_BYTES);
    } catch (PathException e) {
      // Not there, or a link, which git does not follow here either.
      return this;
    }
    List<FastIgnoreRule> rules = rules(new String(bytes, StandardCharsets.UTF_8));
    if (rules.isEmpty()) {
      return this;
    }
    List<Level> more = new ArrayList<>(levels);
    more.add(new Level(absolute, new IgnoreNode(rules)));
    return new Ignores(List.copyOf(more));
  }

  /** Whether an entry is ignored, given that no directory above it is. */
  boolean ignores(String absolute, boolean directory) {
    for (Level level : levels.reversed()) {
      int below = level.directory().endsWith("/") ? 0 : 1;
      Boolean ignored =
          level
              .rules()
              .checkIgnored(absolute.substring(level.directory().length() + below), directory);
      if (ignored != null) {
        return ignored;
      }
    }
    return false;
  }

  private static List<FastIgnoreRule> rules(String text) {
    List<FastIgnoreRule> rules = new ArrayList<>();
    for (String line : text.split("\r?\n", -1)) {
      String rule = line.startsWith("\uFEFF") ? line.substring(1) : line;
      if (rule.isBlank() || rule.startsWith("#") || !plain(rule)) {
        continue;
      }
      FastIgnoreRule parsed = new FastIgnoreRule(rule);
      if (!parsed.isEmpty() && rules.size() < MAX_RULES) {
        rules.add(parsed);
      }
    }
    return rules;
  }

  /** Whether JGit matches a rule in little time and without a word to the log. */
  private static boolean plain(String rule) {
    if (rule.length() > MAX_RULE_CHARS || !PLAIN.matcher(rule).matches()) {
      return false;
    }
    Matcher range = RANGE.matcher(rule);
    while (range.find()) {
      if (range.group(1).charAt(0) > range.group(2).charAt(0)) {
        return false;
      }
    }
    for (String name : rule.split("/", -1)) {
      if (!name.equals("**") && name.chars().filter(c -> c == '*').count() > MAX_STARS_IN_NAME) {
        return false;
      }
    }
    return true;
  }
}
