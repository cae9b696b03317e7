package harness.tool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Lines in bytes of UTF-8, or of what is none. */
final class ByteLines {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long TOPS = 0x8080808080808080L;

  private ByteLines() {}

  /** Where the line ends that holds a place: at its line feed, or at the end. */
  static int end(byte[] bytes, int at, int to) {
    int i = at;
    for (; i <= to - Long.BYTES; i += Long.BYTES) {
      long feeds = (long) LONGS.get(bytes, i) ^ ('\n' * ONES);
      feeds = (feeds - ONES) & ~feeds & TOPS;
      if (feeds != 0) {
        return i + (Long.numberOfTrailingZeros(feeds) >> 3);
      }
    }
    while (i < to && bytes[i] != '\n') {
      i++;
    }
    return i;
  }

  /** Where the line begins that holds a place, not before {@code from}. */
  static int start(byte[] bytes, int at, int from) {
    int i = at;
    while (i > from && bytes[i - 1] != '\n') {
      i--;
    }
    return i;
  }

  /** Where the text of a line ends: a carriage return before the line feed is none of it. */
  static int textEnd(byte[] bytes, int from, int end, int to) {
    return end < to && end > from && bytes[end - 1] == '\r' ? end - 1 : end;
  }

  /** The place behind the last line feed; {@code from} where there is none. */
  static int afterLast(byte[] bytes, int from, int to) {
    return start(bytes, to, from);
  }

  /** Whether there is a NUL. The loop does not stop at one, so that it becomes vectors. */
  static boolean hasNul(byte[] bytes, int from, int to) {
    long any = 0;
    int i = from;
    for (; i <= to - Long.BYTES; i += Long.BYTES) {
      long eight = (long) LONGS.get(bytes, i);
      any |= (eight - ONES) & ~eight;
    }
    boolean found = (any & TOPS) != 0;
    for (; i < to; i++) {
      found |= bytes[i] == 0;
    }
    return found;
  }

  /** How many line feeds there are. */
  static int count(byte[] bytes, int from, int to) {
    int count = 0;
    int i = from;
    for (; i <= to - Long.BYTES; i += Long.BYTES) {
      long feeds = (long) LONGS.get(bytes, i) ^ ('\n' * ONES);
      count += Long.bitCount(~(((feeds & ~TOPS) + ~TOPS) | feeds | ~TOPS));
    }
    for (; i < to; i++) {
      count += bytes[i] == '\n' ? 1 : 0;
    }
    return count;
  }

  /** How long a character outside ASCII is; a byte that is no part of one counts as one. */
  static int characterLength(byte[] bytes, int at, int to) {
    int first = bytes[at] & 0xFF;
    int length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || at + length > to) {
      return 1;
    }
    for (int i = 1; i < length; i++) {
      if ((bytes[at + i] & 0xC0) != 0x80) {
        return 1;
      }
    }
    // Longer forms than needed, halves of surrogate pairs, and what lies beyond all characters.
    int second = bytes[at + 1] & 0xFF;
    boolean none =
        (first == 0xE0 && second < 0xA0)
            || (first == 0xED && second > 0x9F)
            || (first == 0xF0 && second < 0x90)
            || (first == 0xF4 && second > 0x8F);
    return none ? 1 : length;
  }

  /** Their text, in which a byte that is no UTF-8 is the character of the same number. */
  static String text(byte[] bytes, int from, int to) {
    boolean ascii = true;
    for (int i = from; i < to && ascii; i++) {
      ascii = bytes[i] >= 0;
    }
    if (ascii) {
      return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }
    CharsetDecoder decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer in = ByteBuffer.wrap(bytes, from, to - from);
    CharBuffer out = CharBuffer.allocate(to - from);
    for (CoderResult result = decoder.decode(in, out, true);
        result.isError();
        result = decoder.decode(in, out, true)) {
      out.put((char) (in.get() & 0xFF));
    }
    return out.flip().toString();
  }
}
