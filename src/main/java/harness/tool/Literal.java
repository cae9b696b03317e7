package harness.tool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Finds ASCII text in bytes. It looks for the two of its characters that are rarest in source code
 * at their distance, eight places at a time, in blocks whose loop the compiler turns into vector
 * instructions; only where both may stand is the whole compared.
 */
final class Literal {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long TOPS = 0x8080808080808080L;
  private static final int CASE = 0x20;
  private static final int BLOCK_BYTES = 512;

  /** Characters from the most frequent one in source code on; what is not here is rarer. */
  private static final String FREQUENT =
      " etrainsolcdumpg.hf_();,b\"y/=v-wSkTxEC:{}>01A'RI*LPNDMOF<2BU[]@q#V&W3GH4|5+K8z6jX97!`Y$QJ\\?%Z~^";

  private final byte[] text;
  private final int fold;
  private final int first;
  private final int distance;
  private final long firstByte;
  private final long secondByte;
  private final long folds;

  /**
   * @param text not empty, ASCII
   * @param anyCase whether letters of the other case are as good; text is lower case then, and a
   *     character that differs in the same bit may be found in its place
   */
  Literal(String text, boolean anyCase) {
    this.text = text.getBytes(StandardCharsets.US_ASCII);
    this.fold = anyCase ? CASE : 0;
    this.folds = fold * ONES;
    int rarest = 0;
    for (int i = 1; i < this.text.length; i++) {
      rarest = rarity(this.text[i]) > rarity(this.text[rarest]) ? i : rarest;
    }
    int next = rarest == 0 ? this.text.length - 1 : 0;
    for (int i = 0; i < this.text.length; i++) {
      next = i != rarest && rarity(this.text[i]) > rarity(this.text[next]) ? i : next;
    }
    this.first = Math.min(rarest, next);
    this.distance = Math.max(rarest, next) - first;
    this.firstByte = (this.text[first] | fold) * ONES;
    this.secondByte = (this.text[first + distance] | fold) * ONES;
  }

  /** How rare a character is in source code; more is rarer. */
  static int rarity(int c) {
    int place = FREQUENT.indexOf(c);
    return place < 0 ? FREQUENT.length() : place;
  }

  int length() {
    return text.length;
  }

  /** Where it begins, at or after {@code from} and wholly before {@code to}; -1 nowhere. */
  int find(byte[] bytes, int from, int to) {
    // The last place, and the one behind it, where the first of the two characters may stand.
    int end = to - text.length + 1 + first;
    int at = from + first;
    int loaded = end - Long.BYTES;
    // What is frequent is near; a block would be looked at twice.
    for (int near = Math.min(loaded, at + BLOCK_BYTES / 2); at <= near; at += Long.BYTES) {
      int found = among(bytes, at, maybe(bytes, at));
      if (found >= 0) {
        return found;
      }
    }
    while (at <= end - BLOCK_BYTES) {
      if (blockMaybe(bytes, at)) {
        for (int stop = at + BLOCK_BYTES; at < stop; at += Long.BYTES) {
          int found = among(bytes, at, maybe(bytes, at));
          if (found >= 0) {
            return found;
          }
        }
      } else {
        at += BLOCK_BYTES;
      }
    }
    for (; at <= loaded; at += Long.BYTES) {
      int found = among(bytes, at, maybe(bytes, at));
      if (found >= 0) {
        return found;
      }
    }
    for (; at < end; at++) {
      if (stands(bytes, at - first)) {
        return at - first;
      }
    }
    return -1;
  }

  /** A bit at the top of each of eight bytes where the two may stand; sometimes one too many. */
  private long maybe(byte[] bytes, int at) {
    long one = ((long) LONGS.get(bytes, at) | folds) ^ firstByte;
    long two = ((long) LONGS.get(bytes, at + distance) | folds) ^ secondByte;
    return (one - ONES) & ~one & (two - ONES) & ~two & TOPS;
  }

  private boolean blockMaybe(byte[] bytes, int from) {
    long any = 0;
    long fold8 = folds;
    long byte1 = firstByte;
    long byte2 = secondByte;
    int apart = distance;
    for (int at = from; at < from + BLOCK_BYTES; at += Long.BYTES) {
      long one = ((long) LONGS.get(bytes, at) | fold8) ^ byte1;
      long two = ((long) LONGS.get(bytes, at + apart) | fold8) ^ byte2;
      any |= (one - ONES) & ~one & (two - ONES) & ~two;
    }
    return (any & TOPS) != 0;
  }

  private int among(byte[] bytes, int at, long maybe) {
    for (long left = maybe; left != 0; left &= left - 1) {
      int start = at + (Long.numberOfTrailingZeros(left) >> 3) - first;
      if (stands(bytes, start)) {
        return start;
      }
    }
    return -1;
  }

  private boolean stands(byte[] bytes, int start) {
    for (int i = 0; i < text.length; i++) {
      if ((bytes[start + i] | fold) != (text[i] | fold)) {
        return false;
      }
    }
    return true;
  }
}
