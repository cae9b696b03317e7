package harness.workspace;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The rules of one {@code .gitignore} or {@code .git/info/exclude}, read as git reads them. Names
 * are given byte by byte: each character is the byte of the same number, which for ASCII is the
 * text itself; {@link Ignores#bytes} makes that form.
 */
public final class IgnoreRules {
  /** How much of a file is read. */
  public static final int MAX_FILE_BYTES = 256 * 1024;

  /** Longer rules are left out, so that what they mean is shown rather than hidden. */
  static final int MAX_RULE_BYTES = 1_000;

  private static final String MARK = "\u00EF\u00BB\u00BF";

  /** What rules say of a name. */
  enum Verdict {
    IGNORED,
    KEPT,
    /** No rule matches. */
    SILENT
  }

  /**
   * A rule.
   *
   * @param inName whether it has no slash, so that it means names wherever they lie
   */
  private record Rule(Wildcard pattern, boolean keeps, boolean directories, boolean inName) {}

  private final List<Rule> rules;
  private final boolean onPaths;
  private final boolean partial;

  private IgnoreRules(List<Rule> rules, boolean partial) {
    this.rules = List.copyOf(rules);
    this.onPaths = rules.stream().anyMatch(rule -> !rule.inName());
    this.partial = partial;
  }

  /** Reads a file's content, of which the first {@link #MAX_FILE_BYTES} count. */
  public static IgnoreRules parse(byte[] content) {
    String all = new String(content, StandardCharsets.ISO_8859_1);
    boolean partial = all.length() > MAX_FILE_BYTES;
    // Half a rule could hide what the whole one does not.
    String text = partial ? all.substring(0, all.lastIndexOf('\n', MAX_FILE_BYTES) + 1) : all;
    List<Rule> rules = new ArrayList<>();
    int start = text.startsWith(MARK) ? MARK.length() : 0;
    while (start < text.length()) {
      int end = text.indexOf('\n', start);
      end = end < 0 ? text.length() : end;
      boolean carriageReturn = end > start && text.charAt(end - 1) == '\r';
      String line = text.substring(start, carriageReturn ? end - 1 : end);
      partial |= line.length() > MAX_RULE_BYTES && !line.startsWith("#");
      rule(line).ifPresent(rules::add);
      start = end + 1;
    }
    return new IgnoreRules(rules, partial);
  }

  private static Optional<Rule> rule(String line) {
    String rule = line.startsWith("#") ? "" : withoutSpacesAtTheEnd(line);
    boolean keeps = rule.startsWith("!");
    rule = keeps ? rule.substring(1) : rule;
    boolean directories = rule.endsWith("/");
    rule = directories ? rule.substring(0, rule.length() - 1) : rule;
    boolean inName = rule.indexOf('/') < 0;
    rule = rule.startsWith("/") ? rule.substring(1) : rule;
    if (rule.isEmpty() || line.length() > MAX_RULE_BYTES) {
      return Optional.empty();
    }
    return Wildcard.ofRule(rule).map(pattern -> new Rule(pattern, keeps, directories, inName));
  }

  /** Spaces at the end mean nothing unless a backslash stands before them. */
  private static String withoutSpacesAtTheEnd(String line) {
    int end = -1;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == ' ') {
        end = end < 0 ? i : end;
      } else {
        end = -1;
        if (c == '\\' && ++i == line.length()) {
          return line;
        }
      }
    }
    return end < 0 ? line : line.substring(0, end);
  }

  /** How many there are. */
  int size() {
    return rules.size();
  }

  /** Whether some were left out because they are too long or too many. */
  boolean partial() {
    return partial;
  }

  /** Whether one of them looks at more than the last name. */
  boolean onPaths() {
    return onPaths;
  }

  /**
   * What the last rule says that matches.
   *
   * @param path the way from the top, where a rule {@link #onPaths looks at it}
   * @param from where in it the way below the directory of these rules begins
   * @param name its last name
   */
  Verdict of(String path, int from, String name, boolean directory) {
    for (int i = rules.size() - 1; i >= 0; i--) {
      Rule rule = rules.get(i);
      if ((directory || !rule.directories())
          && (rule.inName() ? rule.pattern().matches(name) : rule.pattern().matches(path, from))) {
        return rule.keeps() ? Verdict.KEPT : Verdict.IGNORED;
      }
    }
    return Verdict.SILENT;
  }
}
