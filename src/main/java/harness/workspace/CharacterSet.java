package harness.workspace;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntPredicate;

/** What stands between brackets in a {@link Wildcard}: single characters, ranges, classes. */
final class CharacterSet {
  private static final int ASCII = 128;

  private final boolean negated;
  private int[] ranges = new int[0];

  private CharacterSet(boolean negated) {
    this.negated = negated;
  }

  /**
   * A set that was read.
   *
   * @param end behind the bracket that closes it
   */
  record Parsed(CharacterSet set, int end) {}

  /**
   * Reads one as git does.
   *
   * @param at behind the bracket that opens it
   * @return empty where it has no end or names a class that is none: nothing matches that
   */
  static Optional<Parsed> parse(String text, int at) {
    boolean negated = at < text.length() && (text.charAt(at) == '!' || text.charAt(at) == '^');
    CharacterSet set = new CharacterSet(negated);
    int i = negated ? at + 1 : at;
    int previous = -1;
    boolean first = true;
    while (i < text.length() && (first || text.charAt(i) != ']')) {
      first = false;
      char c = text.charAt(i);
      boolean range = c == '-' && previous >= 0 && i + 1 < text.length();
      if (range && text.charAt(i + 1) != ']') {
        i = escaped(text, i + 1);
        if (i == text.length()) {
          return Optional.empty();
        }
        set.add(previous, text.charAt(i));
        previous = -1;
      } else if (text.startsWith("[:", i) && text.indexOf(']', i + 2) > 0) {
        int close = text.indexOf(']', i + 2);
        if (close > i + 2 && text.charAt(close - 1) == ':') {
          if (!set.addClass(text.substring(i + 2, close - 1))) {
            return Optional.empty();
          }
          i = close;
          previous = -1;
        } else {
          set.add('[', '[');
          previous = '[';
        }
      } else {
        i = escaped(text, i);
        if (i == text.length()) {
          return Optional.empty();
        }
        previous = text.charAt(i);
        set.add(previous, previous);
      }
      i++;
    }
    return i < text.length() ? Optional.of(new Parsed(set, i + 1)) : Optional.empty();
  }

  /** Where the character is that is meant by what stands at a place. */
  private static int escaped(String text, int at) {
    return text.charAt(at) == '\\' ? at + 1 : at;
  }

  boolean has(int c) {
    boolean found = false;
    for (int i = 0; i < ranges.length && !found; i += 2) {
      found = ranges[i] <= c && c <= ranges[i + 1];
    }
    return found != negated;
  }

  private void add(int first, int last) {
    ranges = Arrays.copyOf(ranges, ranges.length + 2);
    ranges[ranges.length - 2] = first;
    ranges[ranges.length - 1] = last;
  }

  private boolean addClass(String name) {
    return switch (name) {
      case "alnum" -> addAll(c -> isLetter(c) || isDigit(c));
      case "alpha" -> addAll(CharacterSet::isLetter);
      case "blank" -> addAll(c -> c == ' ' || c == '\t');
      case "cntrl" -> addAll(c -> c < ' ' || c == 0x7F);
      case "digit" -> addAll(CharacterSet::isDigit);
      case "graph" -> addAll(c -> c > ' ' && c < 0x7F);
      case "lower" -> addAll(c -> c >= 'a' && c <= 'z');
      case "print" -> addAll(c -> c >= ' ' && c < 0x7F);
      case "punct" -> addAll(c -> c > ' ' && c < 0x7F && !isLetter(c) && !isDigit(c));
      case "space" -> addAll(c -> c == ' ' || (c >= '\t' && c <= '\r'));
      case "upper" -> addAll(c -> c >= 'A' && c <= 'Z');
      case "xdigit" -> addAll(c -> isDigit(c) || "abcdefABCDEF".indexOf(c) >= 0);
      default -> false;
    };
  }

  private boolean addAll(IntPredicate members) {
    for (int c = 0; c < ASCII; c++) {
      if (members.test(c)) {
        add(c, c);
      }
    }
    return true;
  }

  private static boolean isLetter(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }
}
