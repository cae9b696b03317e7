package harness.workspace.git;

import harness.workspace.FileHandle;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;

/**
 * The bytes of an open file from its start; an interrupt ends it, and closing it closes the file.
 */
final class FileStream extends InputStream {
  private final FileHandle file;
  private long position;

  FileStream(FileHandle file) {
    this.file = file;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("stopped while reading a file");
    }
    int read = file.read(ByteBuffer.wrap(bytes, offset, length), position);
    position += Math.max(0, read);
    return read;
  }

  @Override
  public void close() {
    file.close();
  }
}
