package harness.workspace.git;

import java.io.ByteArrayOutputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Keeps the first bytes that are written to it and counts the rest. */
final class BoundedOutput extends OutputStream {
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
  private final int maxBytes;
  private long written;

  BoundedOutput(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  @Override
  public void write(int b) throws InterruptedIOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws InterruptedIOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("stopped while writing the result");
    }
    int room = Math.min(length, maxBytes - kept.size());
    if (room > 0) {
      kept.write(bytes, offset, room);
    }
    written += length;
  }

  /** How many bytes were written in all. */
  long written() {
    return written;
  }

  /** What was kept, up to the last whole character. */
  String text() {
    byte[] bytes = kept.toByteArray();
    int end = bytes.length;
    if (written > end) {
      // Bytes that only continue a character are dropped together with its first one.
      while (end > 0 && bytes.length - end < 4 && (bytes[end - 1] & 0xC0) == 0x80) {
        end--;
      }
      if (end > 0 && (bytes[end - 1] & 0x80) != 0) {
        end--;
      }
    }
    return new String(bytes, 0, end, StandardCharsets.UTF_8);
  }
}
