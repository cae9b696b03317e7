package harness.tool;

import java.nio.charset.StandardCharsets;

/** The text of a result while it grows, bounded so that the notes behind it always have room. */
final class Output {
  /** What the notes at the end of a result may take. */
  private static final int NOTES_BYTES = 4 * 1024;

  private static final int NOTES_LINES = 50;

  private final StringBuilder text = new StringBuilder();
  private int bytesLeft = ToolBox.MAX_RESULT_BYTES - NOTES_BYTES;
  private int linesLeft = ToolBox.MAX_RESULT_LINES - NOTES_LINES;
  private boolean full;

  /** Adds a line; false, and nothing is added from then on, where it has no room. */
  boolean line(String line) {
    int bytes = line.getBytes(StandardCharsets.UTF_8).length + 1;
    if (full || bytes > bytesLeft || linesLeft == 0) {
      full = true;
      return false;
    }
    text.append(line).append('\n');
    bytesLeft -= bytes;
    linesLeft--;
    return true;
  }

  /** Adds the lines of a text; false, and the rest is left out, where one has no room. */
  boolean lines(String text) {
    int start = 0;
    while (start < text.length()) {
      int end = text.indexOf('\n', start);
      end = end < 0 ? text.length() : end;
      if (!line(text.substring(start, end))) {
        return false;
      }
      start = end + 1;
    }
    return true;
  }

  /** Adds a sentence of the tool itself about what is shown, in brackets. */
  void note(String note) {
    text.append('[').append(note).append("]\n");
  }

  /** Whether a line had no room. */
  boolean full() {
    return full;
  }

  boolean empty() {
    return text.isEmpty();
  }

  ToolResult result() {
    String shown = text.toString().stripTrailing();
    return full ? ToolResult.partial(shown) : ToolResult.of(shown);
  }
}
