package harness.tool;

import harness.workspace.FileHandle;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads a whole file into memory, where it is not too large for that. */
final class Content {
  private Content() {}

  /**
   * @param shown how the file is named in messages
   * @param tool who takes it, for messages
   * @throws ToolException where it has more bytes
   */
  static byte[] of(FileHandle file, String shown, String tool, int maxBytes)
      throws ToolException, IOException, InterruptedException {
    long size = file.status().size();
    if (size > maxBytes) {
      throw new ToolException(
          shown
              + " has "
              + size
              + " bytes; "
              + tool
              + " takes files of at most "
              + maxBytes
              + "; change it by a command");
    }
    // One byte of room more tells a file that grew from one that ended.
    ByteBuffer buffer = ByteBuffer.allocate((int) size + 1);
    int read = Blocks.fill(file, buffer, 0);
    if (read > size) {
      throw new ToolException(shown + " grew while it was read; try again");
    }
    byte[] bytes = new byte[read];
    buffer.flip().get(bytes);
    return bytes;
  }
}
