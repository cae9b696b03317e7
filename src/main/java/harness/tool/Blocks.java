package harness.tool;

import harness.workspace.FileHandle;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads files in blocks; between two of them an interrupt ends the call. */
final class Blocks {
  /** The largest block that a file is read in. */
  private static final int BLOCK_BYTES = 64 * 1024;

  private static final int SMALLEST_BYTES = 1024;

  private Blocks() {}

  /**
   * A buffer to read a file with: a small file is read at once and ends inside, so that it costs
   * what it holds.
   */
  static ByteBuffer buffer(FileHandle file) throws IOException {
    return ByteBuffer.allocate(
        (int) Math.clamp(file.status().size() + 1, SMALLEST_BYTES, BLOCK_BYTES));
  }

  /**
   * Fills what remains of the buffer from a position.
   *
   * @return how many bytes were read; fewer than remained only at the end of the file
   */
  static int fill(FileHandle file, ByteBuffer buffer, long position)
      throws IOException, InterruptedException {
    int filled = 0;
    while (buffer.hasRemaining()) {
      checkInterrupt();
      int read = file.read(buffer, position + filled);
      if (read < 0) {
        break;
      }
      filled += read;
    }
    return filled;
  }

  /** The first bytes of a file, at most so many. */
  static byte[] head(FileHandle file, int maxBytes) throws IOException, InterruptedException {
    ByteBuffer buffer = ByteBuffer.allocate(maxBytes);
    fill(file, buffer, 0);
    buffer.flip();
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  static void checkInterrupt() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }
}
