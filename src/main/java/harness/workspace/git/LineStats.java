package harness.workspace.git;

import java.io.OutputStream;

/** Counts what git looks at to tell text from binary and to choose line ends; keeps no byte. */
final class LineStats extends OutputStream {
  /** One unprintable character among so many printable ones makes a file binary; a power of two. */
  private static final int PRINTABLE_SHIFT = 7;

  private static final int END_OF_FILE = 0x1A;

  private long bytes;
  private long crlf;
  private long loneCr;
  private long loneLf;
  private long nul;
  private long printable;
  private long unprintable;
  private boolean pendingCr;
  private int last = -1;

  @Override
  public void write(int b) {
    int c = b & 0xFF;
    bytes++;
    last = c;
    if (pendingCr) {
      pendingCr = false;
      if (c == '\n') {
        crlf++;
        return;
      }
      loneCr++;
    }
    switch (c) {
      case '\r' -> pendingCr = true;
      case '\n' -> loneLf++;
      case '\b', '\t', 0x1B, '\f' -> printable++;
      case 0 -> {
        nul++;
        unprintable++;
      }
      default -> {
        if (c < ' ' || c == 0x7F) {
          unprintable++;
        } else {
          printable++;
        }
      }
    }
  }

  @Override
  public void write(byte[] content, int offset, int length) {
    for (int i = offset; i < offset + length; i++) {
      write(content[i]);
    }
  }

  long bytes() {
    return bytes;
  }

  /** How many lines end in CRLF. */
  long crlf() {
    return crlf;
  }

  /** How many lines end in LF alone. */
  long loneLf() {
    return loneLf;
  }

  /** Whether there is a CR that ends no line with its LF. */
  boolean hasLoneCr() {
    return loneCr > 0 || pendingCr;
  }

  boolean binary() {
    long odd = last == END_OF_FILE ? unprintable - 1 : unprintable;
    return hasLoneCr() || nul > 0 || printable >> PRINTABLE_SHIFT < odd;
  }
}
