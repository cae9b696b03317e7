package harness.workspace.git;

import harness.workspace.Wildcard;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jgit.attributes.Attribute;
import org.eclipse.jgit.util.QuotedString;

/**
 * The rules of one {@code .gitattributes}. Paths are given byte by byte, as {@link
 * harness.workspace.Ignores#bytes} makes them, relative to the directory of the rules.
 *
 * @param rules in the order of the file
 * @param macros what names stand for that the file gives to several attributes together
 */
record AttributeRules(List<Rule> rules, Map<String, List<Attribute>> macros) {
  /** How much of a file is read, in bytes. */
  static final int MAX_FILE_BYTES = 256 * 1024;

  /** How many rules of one file hold; those after them are left out. */
  private static final int MAX_RULES = 5_000;

  /** Longer patterns are left out. */
  private static final int MAX_PATTERN_BYTES = 1_000;

  private static final String MACRO = "[attr]";
  private static final String MARK = "\u00EF\u00BB\u00BF";

  /** What git knows without being told. */
  static final AttributeRules BUILT_IN = parse("[attr]binary -diff -merge -text\n");

  /**
   * A rule.
   *
   * @param inName whether it has no slash, so that it means names wherever they lie
   */
  record Rule(Wildcard pattern, boolean inName, List<Attribute> attributes) {
    boolean matches(String path) {
      return pattern.matches(inName ? path.substring(path.lastIndexOf('/') + 1) : path);
    }
  }

  AttributeRules {
    rules = List.copyOf(rules);
    macros = Map.copyOf(macros);
  }

  static AttributeRules parse(byte[] content) {
    return parse(new String(content, StandardCharsets.ISO_8859_1));
  }

  private static AttributeRules parse(String content) {
    List<Rule> rules = new ArrayList<>();
    Map<String, List<Attribute>> macros = new HashMap<>();
    String text = content.startsWith(MARK) ? content.substring(MARK.length()) : content;
    for (String raw : text.split("\n", -1)) {
      String line = raw.strip();
      if (line.isEmpty() || line.startsWith("#") || rules.size() == MAX_RULES) {
        continue;
      }
      boolean macro = line.startsWith(MACRO);
      line = macro ? line.substring(MACRO.length()).strip() : line;
      int end = line.startsWith("\"") ? quoteEnd(line) : wordEnd(line);
      List<Attribute> attributes = attributes(line.substring(end));
      String first =
          line.startsWith("\"") ? unquoted(line.substring(0, end)) : line.substring(0, end);
      if (macro) {
        macros.put(first, attributes);
      } else {
        rule(first, attributes).ifPresent(rules::add);
      }
    }
    return new AttributeRules(rules, macros);
  }

  /** One that means directories, or everything but what it names, matches no file. */
  private static Optional<Rule> rule(String given, List<Attribute> attributes) {
    if (given.isEmpty()
        || given.startsWith("!")
        || given.endsWith("/")
        || given.length() > MAX_PATTERN_BYTES) {
      return Optional.empty();
    }
    boolean inName = given.indexOf('/') < 0;
    String pattern = given.startsWith("/") ? given.substring(1) : given;
    return Wildcard.of(pattern).map(known -> new Rule(known, inName, attributes));
  }

  private static int wordEnd(String line) {
    int end = 0;
    while (end < line.length() && !Character.isWhitespace(line.charAt(end))) {
      end++;
    }
    return end;
  }

  private static int quoteEnd(String line) {
    for (int i = 1; i < line.length(); i++) {
      if (line.charAt(i) == '\\') {
        i++;
      } else if (line.charAt(i) == '"') {
        return i + 1;
      }
    }
    return line.length();
  }

  private static String unquoted(String quoted) {
    byte[] bytes = quoted.getBytes(StandardCharsets.ISO_8859_1);
    byte[] meant =
        QuotedString.GIT_PATH.dequote(bytes, 0, bytes.length).getBytes(StandardCharsets.UTF_8);
    return new String(meant, StandardCharsets.ISO_8859_1);
  }

  private static List<Attribute> attributes(String text) {
    List<Attribute> attributes = new ArrayList<>();
    for (String word : text.strip().split("\\s+", -1)) {
      int equals = word.indexOf('=');
      if (word.startsWith("-")) {
        attributes.add(new Attribute(word.substring(1), Attribute.State.UNSET));
      } else if (word.startsWith("!")) {
        attributes.add(new Attribute(word.substring(1), Attribute.State.UNSPECIFIED));
      } else if (equals > 0) {
        attributes.add(new Attribute(word.substring(0, equals), word.substring(equals + 1)));
      } else if (!word.isEmpty()) {
        attributes.add(new Attribute(word, Attribute.State.SET));
      }
    }
    return List.copyOf(attributes);
  }
}
