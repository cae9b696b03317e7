package harness.tool;

/** Finds a run of bytes in time linear in what it looks through, whatever both hold. */
final class Needle {
  private final byte[] bytes;
  private final int[] fallback;

  Needle(byte[] bytes) {
    this.bytes = bytes.clone();
    this.fallback = new int[bytes.length];
    for (int i = 1, matched = 0; i < bytes.length; i++) {
      while (matched > 0 && bytes[i] != bytes[matched]) {
        matched = fallback[matched - 1];
      }
      if (bytes[i] == bytes[matched]) {
        matched++;
      }
      fallback[i] = matched;
    }
  }

  int length() {
    return bytes.length;
  }

  /**
   * Where it begins, at or after a place.
   *
   * @param unit it begins at multiples of this alone, so that no half of a UTF-16 unit matches
   * @return -1 where it does not occur
   */
  int find(byte[] in, int from, int unit) {
    for (int i = from, matched = 0; i < in.length; i++) {
      while (matched > 0 && in[i] != bytes[matched]) {
        matched = fallback[matched - 1];
      }
      if (in[i] == bytes[matched]) {
        matched++;
      }
      if (matched == bytes.length) {
        int start = i + 1 - matched;
        if (start % unit == 0) {
          return start;
        }
        matched = fallback[matched - 1];
      }
    }
    return -1;
  }
}
