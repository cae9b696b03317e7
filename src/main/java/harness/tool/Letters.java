package harness.tool;

import com.google.re2j.Pattern;

/**
 * The characters that one place of an expression takes.
 *
 * @param low a bit for each ASCII character below 64
 * @param high a bit for each from 64 on
 * @param beyond which of all others
 */
record Letters(long low, long high, Beyond beyond) {
  /** Which characters outside ASCII. */
  enum Beyond {
    NONE,
    ALL,
    /** The engine has to be asked. */
    SOME
  }

  static final int ASCII = 128;
  private static final int HALF = 64;

  /** One character that means itself. */
  static Letters of(int codePoint) {
    return codePoint >= ASCII
        ? new Letters(0, 0, Beyond.SOME)
        : new Letters(0, 0, Beyond.NONE).with(codePoint);
  }

  /**
   * One character, or the other case of it. Kelvin's sign and the long s are cases of {@code k} and
   * {@code s}.
   */
  static Letters ofAnyCase(int codePoint) {
    if (codePoint >= ASCII) {
      return asked(new String(Character.toChars(codePoint)), true, Beyond.SOME);
    }
    int lower = Character.toLowerCase(codePoint);
    Letters both = of(lower).with(Character.toUpperCase(codePoint));
    return lower == 'k' || lower == 's' ? new Letters(both.low, both.high, Beyond.SOME) : both;
  }

  /** What the engine says that a class of characters takes. */
  static Letters asked(String charClass, boolean anyCase, Beyond beyond) {
    Pattern pattern =
        Pattern.compile(charClass, Pattern.DOTALL | (anyCase ? Pattern.CASE_INSENSITIVE : 0));
    Letters letters = new Letters(0, 0, anyCase ? Beyond.SOME : beyond);
    for (int c = 0; c < ASCII; c++) {
      if (pattern.matches(String.valueOf((char) c))) {
        letters = letters.with(c);
      }
    }
    return letters;
  }

  private Letters with(int c) {
    return c < HALF
        ? new Letters(low | 1L << c, high, beyond)
        : new Letters(low, high | 1L << (c - HALF), beyond);
  }

  /** Whether it takes an ASCII character. */
  boolean has(int c) {
    return ((c < HALF ? low >>> c : high >>> (c - HALF)) & 1) != 0;
  }

  /** The one character that it takes, whatever its case; -1 where there are more. */
  int single() {
    if (beyond != Beyond.NONE) {
      return -1;
    }
    int first =
        low != 0 ? Long.numberOfTrailingZeros(low) : HALF + Long.numberOfTrailingZeros(high);
    return switch (Long.bitCount(low) + Long.bitCount(high)) {
      case 1 -> first;
      case 2 -> first >= 'A' && first <= 'Z' && has(first + ' ') ? first + ' ' : -1;
      default -> -1;
    };
  }

  /** Whether it takes exactly one character. */
  boolean exact() {
    return single() >= 0 && Long.bitCount(low) + Long.bitCount(high) == 1;
  }
}
