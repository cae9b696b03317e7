package harness.tool;

import harness.workspace.FileHandle;
import harness.workspace.FileStatus;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Which content a file has, as a text: equal for equal content, other for other content. Up to
 * {@link #MAX_DIGESTED_BYTES}, the most that write, edit and apply_patch make, it is a digest, so
 * that a file that was touched, or changed and changed back, is the same one. A larger file, which
 * these never make, goes by its size, its last change and its inode.
 */
final class Version {
  /** The largest file whose content is looked at. */
  static final int MAX_DIGESTED_BYTES = 16 * 1024 * 1024;

  /** Enough that no two contents of one file have the same by chance. */
  private static final int KEPT_BYTES = 16;

  private Version() {}

  static String of(FileHandle file) throws IOException, InterruptedException {
    FileStatus status = file.status();
    if (status.size() > MAX_DIGESTED_BYTES) {
      return ofLarge(status);
    }
    MessageDigest digest = digest();
    ByteBuffer block = Blocks.buffer(file);
    long position = 0;
    for (int read; (read = Blocks.fill(file, block.clear(), position)) > 0; position += read) {
      if (position + read > MAX_DIGESTED_BYTES) {
        return ofLarge(file.status());
      }
      digest.update(block.array(), 0, read);
    }
    return text(digest);
  }

  /** The same for a content of at most {@link #MAX_DIGESTED_BYTES} that is or will be in a file. */
  static String of(byte[] content) {
    MessageDigest digest = digest();
    digest.update(content);
    return text(digest);
  }

  private static String ofLarge(FileStatus status) {
    return "large " + status.size() + " " + status.modifiedNanos() + " " + status.inode();
  }

  private static String text(MessageDigest digest) {
    return HexFormat.of().formatHex(Arrays.copyOf(digest.digest(), KEPT_BYTES));
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
