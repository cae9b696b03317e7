package harness.tool;

import java.util.List;

/**
 * A hunk of a unified diff.
 *
 * @param header its first line
 * @param start the line of the old file that its old lines begin at, from 1, or that they follow
 *     where there are none; -1 where its header has no numbers
 * @param lines in the order of the diff
 * @param miscounted whether its header counts its lines wrongly
 */
record Hunk(String header, int start, List<Line> lines, boolean miscounted) {
  /** How a line is marked. */
  enum Kind {
    CONTEXT,
    REMOVED,
    ADDED
  }

  /**
   * A line without its mark and its line end.
   *
   * @param ends whether it has a line end
   */
  record Line(Kind kind, String text, boolean ends) {}

  Hunk {
    lines = List.copyOf(lines);
  }

  /** What the file has there before. */
  List<Line> before() {
    return lines.stream().filter(line -> line.kind != Kind.ADDED).toList();
  }

  /** What it has there afterwards. */
  List<Line> after() {
    return lines.stream().filter(line -> line.kind != Kind.REMOVED).toList();
  }

  boolean holds(char c) {
    return lines.stream().anyMatch(line -> line.text.indexOf(c) >= 0);
  }

  int added() {
    return lines.size() - before().size();
  }

  int removed() {
    return lines.size() - after().size();
  }
}
