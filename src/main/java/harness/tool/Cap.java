package harness.tool;

import java.nio.charset.StandardCharsets;

/** Holds any result, errors too, to the most that one hands to a model. */
final class Cap {
  /** What the note about the cut may take of the cap. */
  private static final int NOTE_BYTES = 512;

  private Cap() {}

  static ToolResult apply(ToolResult result, int maxBytes, int maxLines) {
    byte[] bytes = result.text().getBytes(StandardCharsets.UTF_8);
    int lines = lines(bytes);
    if (bytes.length <= maxBytes && lines <= maxLines) {
      return result;
    }
    int end = bytes.length <= maxBytes ? bytes.length : maxBytes - NOTE_BYTES;
    int kept = 0;
    for (int i = 0; i < end; i++) {
      if (bytes[i] == '\n' && ++kept == maxLines - 1) {
        end = i + 1;
      }
    }
    // Back to the first byte of a character, so that none is cut in two.
    while (end > 0 && end < bytes.length && (bytes[end] & 0xC0) == 0x80) {
      end--;
    }
    String note =
        String.format(
            "%n[cut: %d of %d bytes and %d of %d lines are shown; ask for less at a time to see the"
                + " rest: a narrower path or pattern, or a smaller part]",
            end, bytes.length, lines(bytes, end), lines);
    String text = new String(bytes, 0, end, StandardCharsets.UTF_8).stripTrailing() + note;
    return new ToolResult(
        result.error(),
        text,
        Math.max(result.bytes(), bytes.length),
        true,
        result.images(),
        result.seen(),
        result.proposal(),
        result.excess());
  }

  private static int lines(byte[] bytes) {
    return lines(bytes, bytes.length);
  }

  private static int lines(byte[] bytes, int end) {
    int lines = 0;
    for (int i = 0; i < end; i++) {
      if (bytes[i] == '\n') {
        lines++;
      }
    }
    return end > 0 && bytes[end - 1] != '\n' ? lines + 1 : lines;
  }
}
