package harness.tool;

import harness.workspace.Directory;
import harness.workspace.FileHandle;
import harness.workspace.PathException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
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
   * in one name, a rule could hold a walk for minutes.
   */
  private static final int MAX_STARS_IN_NAME = 3;

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
      if (rule.isBlank() || rule.startsWith("#") || !cheap(rule)) {
        continue;
      }
      FastIgnoreRule parsed = new FastIgnoreRule(rule);
      if (!parsed.isEmpty() && rules.size() < MAX_RULES) {
        rules.add(parsed);
      }
    }
    return rules;
  }

  private static boolean cheap(String rule) {
    if (rule.length() > MAX_RULE_CHARS) {
      return false;
    }
    int stars = 0;
    for (int i = 0; i < rule.length(); i++) {
      char c = rule.charAt(i);
      if (c == '/') {
        stars = 0;
      } else if (c == '*' && !rule.startsWith("*", i + 1) && ++stars > MAX_STARS_IN_NAME) {
        return false;
      }
    }
    return true;
  }
}
