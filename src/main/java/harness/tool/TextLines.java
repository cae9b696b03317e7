package harness.tool;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A text in memory by its lines, each up to its line feed; a byte order mark is part of none. */
final class TextLines {
  /** A byte order mark, and how that of UTF-8 looks where each byte is a character. */
  private static final List<String> MARKS = List.of("\uFEFF", "\u00EF\u00BB\u00BF");

  /** More places than this are just many. */
  private static final int MAX_PLACES = 2;

  private final String text;
  private final int[] starts;
  private final int count;
  private final String mark;

  TextLines(String text) {
    this.text = text;
    this.mark = MARKS.stream().filter(text::startsWith).findFirst().orElse("");
    int lines = 0;
    for (int at = 0; at < text.length(); lines++) {
      int feed = text.indexOf('\n', at);
      at = feed < 0 ? text.length() : feed + 1;
    }
    this.count = lines;
    this.starts = new int[lines + 1];
    for (int line = 1; line <= lines; line++) {
      int feed = text.indexOf('\n', starts[line - 1]);
      starts[line] = feed < 0 ? text.length() : feed + 1;
    }
  }

  String text() {
    return text;
  }

  /** The byte order mark that it begins with; empty where it has none. */
  String mark() {
    return mark;
  }

  int count() {
    return count;
  }

  /** Where a line starts in the text; behind the last one: where the text ends. */
  int start(int line) {
    return starts[line];
  }

  /** A line without its line feed. */
  String line(int line) {
    return text.substring(starts[line], end(line));
  }

  private int end(int line) {
    int end = starts[line + 1];
    return end > starts[line] && text.charAt(end - 1) == '\n' ? end - 1 : end;
  }

  /** Whether the last line has a line end; true where there is no line. */
  boolean lastEnds() {
    return text.isEmpty() || text.charAt(text.length() - 1) == '\n';
  }

  /**
   * Whether a line ends in CRLF; where it is the last and has no end, whether the one before does.
   */
  boolean crlf(int line) {
    int feed = text.lastIndexOf('\n', starts[line + 1] - 1);
    return feed > 0 && text.charAt(feed - 1) == '\r';
  }

  /** Whether there are line ends and all are CRLF. */
  boolean onlyCrlf() {
    int feed = text.indexOf('\n');
    while (feed > 0 && text.charAt(feed - 1) == '\r') {
      int next = text.indexOf('\n', feed + 1);
      if (next < 0) {
        return true;
      }
      feed = next;
    }
    return false;
  }

  /**
   * Whether a line is that of a hunk.
   *
   * @param crlf whether a carriage return at its end does not count
   */
  boolean same(Hunk.Line wanted, int line, boolean crlf) {
    int start = starts[line];
    int end = end(line);
    if (crlf && end > start && text.charAt(end - 1) == '\r') {
      end--;
    }
    String want = wanted.text();
    if (line == 0 && !want.startsWith(mark)) {
      start += mark.length();
    }
    return want.length() == end - start && text.startsWith(want, start);
  }

  boolean matches(List<Hunk.Line> wanted, int line, boolean crlf) {
    if (line + wanted.size() > count) {
      return false;
    }
    for (int i = 0; i < wanted.size(); i++) {
      if (!same(wanted.get(i), line + i, crlf)) {
        return false;
      }
    }
    return true;
  }

  /** Where lines are, from a line on: the first places, in time linear in both. */
  List<Integer> places(List<Hunk.Line> wanted, int from, boolean crlf) {
    int[] fallback = fallback(wanted);
    List<Integer> places = new ArrayList<>();
    for (int line = from, matched = 0; line < count && places.size() < MAX_PLACES; line++) {
      while (matched > 0 && !same(wanted.get(matched), line, crlf)) {
        matched = fallback[matched - 1];
      }
      if (same(wanted.get(matched), line, crlf)) {
        matched++;
      }
      if (matched == wanted.size()) {
        places.add(line + 1 - matched);
        matched = fallback[matched - 1];
      }
    }
    return places;
  }

  private static int[] fallback(List<Hunk.Line> wanted) {
    int[] fallback = new int[wanted.size()];
    Arrays.fill(fallback, 0);
    for (int i = 1, matched = 0; i < wanted.size(); i++) {
      while (matched > 0 && !wanted.get(i).text().equals(wanted.get(matched).text())) {
        matched = fallback[matched - 1];
      }
      if (wanted.get(i).text().equals(wanted.get(matched).text())) {
        matched++;
      }
      fallback[i] = matched;
    }
    return fallback;
  }
}
