package harness.workspace;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * Writes to a new file; what is still buffered is there once it is flushed. Closing does that only.
 */
public final class TemporaryOutput extends OutputStream {
  private static final int BUFFER_BYTES = 64 * 1024;

  private final OpenDirectory.Temporary file;

  private TemporaryOutput(OpenDirectory.Temporary file) {
    this.file = file;
  }

  /** A buffered stream to the end of the file. */
  public static OutputStream of(OpenDirectory.Temporary file) {
    return new BufferedOutputStream(new TemporaryOutput(file), BUFFER_BYTES);
  }

  @Override
  public void write(int b) throws IOException {
    file.write(new byte[] {(byte) b});
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    file.write(Arrays.copyOfRange(bytes, offset, offset + length));
  }
}
