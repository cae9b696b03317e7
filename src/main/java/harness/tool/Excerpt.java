package harness.tool;

import harness.workspace.FileHandle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The output of a command for a model: all of it, or its head and its tail.
 *
 * @param text lines of text
 * @param whole whether nothing was left out
 */
record Excerpt(String text, boolean whole) {
  static final int HEAD_BYTES = 8 * 1024;
  static final int TAIL_BYTES = 24 * 1024;
  static final int HEAD_LINES = 400;
  static final int TAIL_LINES = 1_600;

  /**
   * A part of an output.
   *
   * @param from where it begins, at a whole character
   * @param to where it ends
   * @param name what the output is called for {@code read}
   */
  static Excerpt of(FileHandle output, long from, long to, String name)
      throws IOException, InterruptedException {
    long length = to - from;
    if (length <= HEAD_BYTES + TAIL_BYTES) {
      byte[] all = bytes(output, from, (int) length);
      if (lines(all) <= HEAD_LINES + TAIL_LINES) {
        return new Excerpt(text(all, 0, all.length), true);
      }
    }
    byte[] head = bytes(output, from, (int) Math.min(length, HEAD_BYTES));
    byte[] tail =
        bytes(output, to - Math.min(length, TAIL_BYTES), (int) Math.min(length, TAIL_BYTES));
    int headEnd = headEnd(head);
    int tailStart = tailStart(tail);
    String shownHead = text(head, 0, headEnd);
    long left = length - headEnd - (tail.length - tailStart);
    String note =
        "["
            + left
            + " bytes are left out here; read output:"
            + name
            + where(from, head, headEnd)
            + "]";
    return new Excerpt(
        shownHead
            + (shownHead.endsWith("\n") || shownHead.isEmpty() ? "" : "\n")
            + note
            + "\n"
            + text(tail, tailStart, tail.length),
        false);
  }

  private static String where(long from, byte[] head, int headEnd) {
    int shown = 0;
    for (int i = 0; i < headEnd; i++) {
      shown += head[i] == '\n' ? 1 : 0;
    }
    return from == 0 ? " shows them from offset " + (shown + 1) + " on" : " shows all";
  }

  /** After the last whole line that has room, or else the last whole character. */
  private static int headEnd(byte[] head) {
    int lines = 0;
    int end = 0;
    for (int i = 0; i < head.length && lines < HEAD_LINES; i++) {
      if (head[i] == '\n') {
        lines++;
        end = i + 1;
      }
    }
    if (end > 0) {
      return end;
    }
    end = head.length;
    while (end > 0 && !begins(head[end - 1])) {
      end--;
    }
    return Math.max(0, end - 1);
  }

  /** Before the first whole line that has room, or else the first whole character. */
  private static int tailStart(byte[] tail) {
    int lines = 0;
    int start = -1;
    for (int i = tail.length - 1; i >= 0; i--) {
      if (tail[i] == '\n' && i < tail.length - 1) {
        start = i + 1;
        if (++lines == TAIL_LINES) {
          break;
        }
      }
    }
    if (start >= 0) {
      return start;
    }
    start = 0;
    while (start < tail.length && !begins(tail[start])) {
      start++;
    }
    return start;
  }

  private static boolean begins(byte b) {
    return (b & 0xC0) != 0x80;
  }

  private static int lines(byte[] bytes) {
    int lines = 0;
    for (byte b : bytes) {
      lines += b == '\n' ? 1 : 0;
    }
    return lines;
  }

  private static byte[] bytes(FileHandle output, long from, int length)
      throws IOException, InterruptedException {
    ByteBuffer buffer = ByteBuffer.allocate(length);
    int read = Blocks.fill(output, buffer, from);
    return Arrays.copyOf(buffer.array(), read);
  }

  private static String text(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.UTF_8);
  }
}
