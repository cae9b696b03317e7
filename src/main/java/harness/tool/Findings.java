package harness.tool;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** What a search found in one file. */
final class Findings {
  /** The most characters that are shown of a line. */
  static final int MAX_LINE_CHARS = 500;

  /** How much of a long line is shown before its match. */
  private static final int BEFORE_MATCH_CHARS = 100;

  /** After so much nothing more is gathered, because a result has no room for it. */
  private static final int MAX_CHARS = ToolBox.MAX_RESULT_BYTES;

  private static final int MAX_LINES = ToolBox.MAX_RESULT_LINES;

  /** What a line takes in memory besides its text, in characters. */
  private static final int LINE_CHARS = 40;

  /** Why a line is shown. */
  enum Role {
    MATCH,
    /** It stands before a match. */
    BEFORE,
    /** It stands behind one. */
    AFTER
  }

  /**
   * A line that is shown.
   *
   * @param number from 1
   */
  record Line(Role role, long number, String text) {}

  private final int context;
  private final int limit;
  private final List<Line> lines = new ArrayList<>(0);
  private final Deque<Line> before = new ArrayDeque<>(0);
  private int afterLeft;
  private int chars;

  long matches;
  long bytes;
  boolean binary;
  boolean cutLines;
  boolean pieces;
  boolean cutSearches;
  boolean cutFile;

  /**
   * @param context how many lines are shown around each match
   * @param limit how many matching lines can be shown
   */
  Findings(int context, int limit) {
    this.context = context;
    this.limit = limit;
  }

  List<Line> lines() {
    return lines;
  }

  /** About how much memory it takes, in characters. */
  int chars() {
    return chars + LINE_CHARS * lines.size();
  }

  /** How many of the next lines are shown whatever they hold. */
  int afterLeft() {
    return afterLeft;
  }

  /**
   * Adds a line that matches.
   *
   * @param at where in it; -1 where that is not known
   * @return false where no more can be shown
   */
  boolean match(long number, String text, int at) {
    matches++;
    before.forEach(this::add);
    before.clear();
    afterLeft = context;
    add(new Line(Role.MATCH, number, cut(text, at)));
    return matches <= limit && chars < MAX_CHARS && lines.size() < MAX_LINES;
  }

  /**
   * Adds a line that does not; only the last ones before a match and the first ones after count.
   */
  void miss(long number, String text) {
    if (afterLeft > 0) {
      afterLeft--;
      add(new Line(Role.AFTER, number, cut(text, 0)));
    } else if (context > 0) {
      before.addLast(new Line(Role.BEFORE, number, cut(text, 0)));
      if (before.size() > context) {
        before.removeFirst();
      }
    }
  }

  private void add(Line line) {
    lines.add(line);
    chars += line.text().length();
    cutLines |= line.text().length() > MAX_LINE_CHARS;
  }

  private static String cut(String text, int at) {
    if (text.length() <= MAX_LINE_CHARS) {
      return text;
    }
    int from = Math.max(0, at - BEFORE_MATCH_CHARS);
    if (from > 0 && Character.isLowSurrogate(text.charAt(from))) {
      from++;
    }
    int to = Math.min(text.length(), from + MAX_LINE_CHARS);
    if (to < text.length() && Character.isLowSurrogate(text.charAt(to))) {
      to--;
    }
    return (from > 0 ? "[...]" : "")
        + text.substring(from, to)
        + (to < text.length() ? "[...]" : "");
  }
}
