package harness.workspace;

import java.io.IOException;
import java.nio.ByteBuffer;

/** An open regular file. Positions are absolute, so one handle may be read from several threads. */
public interface FileHandle extends AutoCloseable {
  FileStatus status() throws IOException;

  /** How many bytes it had when it was opened. */
  default long size() throws IOException {
    return status().size();
  }

  /**
   * Reads into the buffer, at most what remains of it.
   *
   * @return how many bytes were read, -1 at the end
   */
  int read(ByteBuffer buffer, long position) throws IOException;

  @Override
  void close();
}
