package harness.workspace;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A pattern over paths as git reads it: {@code *} and {@code ?} within a name, {@code **} over
 * whole names, {@code [a-z]}, {@code [!a]}, {@code [[:digit:]]}, and a backslash before a character
 * that means itself. One match takes at most {@link #MAX_STEPS} steps, whatever the pattern.
 */
public final class Wildcard {
  /** After so many a text counts as not matched. No pattern that people write comes near. */
  static final int MAX_STEPS = 64 * 1024;

  private static final String SPECIAL = "*?[\\";

  // Tokens below zero; from SET downwards they number the sets. Others are characters.
  private static final int ANY = -1;
  private static final int STAR = -2;

  /** Any text. */
  private static final int DEEP = -3;

  /** Nothing, or any text that ends in a slash. */
  private static final int DEEP_SLASH = -4;

  private static final int SET = -5;

  private final int[] tokens;
  private final List<CharacterSet> sets;

  /** Where the pattern is nothing but a star before it, how a name has to end. */
  private final Optional<String> ending;

  private final Optional<String> literal;

  private Wildcard(int[] tokens, List<CharacterSet> sets) {
    this.tokens = tokens;
    this.sets = sets;
    this.literal = literal(0);
    this.ending =
        tokens.length > 0 && tokens[0] == STAR
            ? literal(1).filter(text -> text.indexOf('/') < 0)
            : Optional.empty();
  }

  /** Empty where nothing can match: brackets without end, a backslash at the end. */
  public static Optional<Wildcard> of(String pattern) {
    return read(pattern, 0);
  }

  /**
   * As git reads it in an ignore file: two stars are whole names also where they end the plain text
   * that the pattern begins with.
   */
  static Optional<Wildcard> ofRule(String pattern) {
    int plain = 0;
    while (plain < pattern.length() && SPECIAL.indexOf(pattern.charAt(plain)) < 0) {
      plain++;
    }
    return read(pattern, plain);
  }

  private static Optional<Wildcard> read(String pattern, int plain) {
    List<Integer> tokens = new ArrayList<>();
    List<CharacterSet> sets = new ArrayList<>();
    for (int at = 0; at < pattern.length(); ) {
      char c = pattern.charAt(at);
      switch (c) {
        case '?' -> {
          tokens.add(ANY);
          at++;
        }
        case '*' -> at = stars(pattern, at, plain, tokens);
        case '[' -> {
          Optional<CharacterSet.Parsed> set = CharacterSet.parse(pattern, at + 1);
          if (set.isEmpty()) {
            return Optional.empty();
          }
          tokens.add(SET - sets.size());
          sets.add(set.get().set());
          at = set.get().end();
        }
        case '\\' -> {
          if (at + 1 == pattern.length()) {
            return Optional.empty();
          }
          tokens.add((int) pattern.charAt(at + 1));
          at += 2;
        }
        default -> {
          tokens.add((int) c);
          at++;
        }
      }
    }
    return Optional.of(
        new Wildcard(tokens.stream().mapToInt(Integer::intValue).toArray(), List.copyOf(sets)));
  }

  /** Reads stars. Two go over names where they are a whole one. */
  private static int stars(String pattern, int at, int plain, List<Integer> tokens) {
    int end = at;
    while (end < pattern.length() && pattern.charAt(end) == '*') {
      end++;
    }
    boolean begins = at == plain || pattern.charAt(at - 1) == '/';
    boolean slash = pattern.startsWith("/", end);
    boolean ends = end == pattern.length() || slash || pattern.startsWith("\\/", end);
    if (end - at == 1 || !begins || !ends) {
      tokens.add(STAR);
      return end;
    }
    tokens.add(slash ? DEEP_SLASH : DEEP);
    return slash ? end + 1 : end;
  }

  private Optional<String> literal(int from) {
    StringBuilder text = new StringBuilder();
    for (int i = from; i < tokens.length; i++) {
      if (tokens[i] < 0) {
        return Optional.empty();
      }
      text.append((char) tokens[i]);
    }
    return Optional.of(text.toString());
  }

  /** Whether it matches the whole of a path, of which {@code /} parts the names. */
  public boolean matches(String path) {
    return matches(path, 0);
  }

  /** Whether it matches all that begins at a place. */
  boolean matches(String path, int from) {
    if (literal.isPresent()) {
      return path.length() - from == literal.get().length() && path.startsWith(literal.get(), from);
    }
    if (ending.isPresent()) {
      return path.length() - from >= ending.get().length()
          && path.endsWith(ending.get())
          && path.indexOf('/', from) < 0;
    }
    return run(path, from);
  }

  /**
   * Goes back to the last star alone, and from there to the last two: what stands before a star has
   * its best match where it has its first one.
   */
  private boolean run(String path, int from) {
    int at = from;
    int token = 0;
    int star = -1;
    int starAt = 0;
    int deep = -1;
    int deepAt = 0;
    for (int steps = 0; steps < MAX_STEPS; steps++) {
      if (token == tokens.length && at == path.length()) {
        return true;
      }
      int wanted = token < tokens.length ? tokens[token] : 0;
      if (token < tokens.length && wanted == STAR) {
        star = ++token;
        starAt = at;
      } else if (token < tokens.length && (wanted == DEEP || wanted == DEEP_SLASH)) {
        deep = ++token;
        deepAt = at;
        star = -1;
      } else if (token < tokens.length && at < path.length() && takes(wanted, path.charAt(at))) {
        token++;
        at += wanted == ANY ? Character.charCount(path.codePointAt(at)) : 1;
      } else if (star >= 0 && at < path.length() && path.charAt(starAt) != '/') {
        at = ++starAt;
        token = star;
      } else if (deep >= 0 && deepAt < path.length()) {
        int next = tokens[deep - 1] == DEEP ? deepAt : path.indexOf('/', deepAt);
        if (next < 0) {
          return false;
        }
        at = deepAt = next + 1;
        token = deep;
        star = -1;
      } else {
        return false;
      }
    }
    return false;
  }

  private boolean takes(int token, char c) {
    if (token >= 0) {
      return c == token;
    }
    return c != '/' && (token == ANY || sets.get(SET - token).has(c));
  }
}
