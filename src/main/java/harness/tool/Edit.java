package harness.tool;

import java.util.regex.Pattern;

/**
 * One replacement that a model asked for.
 *
 * @param before what is there, exactly
 * @param after what replaces it
 * @param all whether every occurrence is replaced; else there must be one alone
 */
record Edit(String before, String after, boolean all) {
  private static final Pattern LF = Pattern.compile("\n", Pattern.LITERAL);

  /** Whether it says nothing of carriage returns, as one does that was written from a read. */
  boolean plainLineEnds() {
    return before.indexOf('\r') < 0 && after.indexOf('\r') < 0;
  }

  static String withCrlf(String text) {
    return LF.matcher(text).replaceAll("\r\n");
  }
}
