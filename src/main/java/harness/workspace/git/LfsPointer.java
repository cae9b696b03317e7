package harness.workspace.git;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** What Git LFS keeps in git in the place of a large file: its digest and its size. */
final class LfsPointer {
  /** Larger content is no pointer, in bytes. */
  static final int MAX_BYTES = 1024;

  private static final String VERSION = "version https://git-lfs.github.com/spec/";
  private static final int CHUNK_BYTES = 64 * 1024;

  private LfsPointer() {}

  /** Whether a file with this content is a pointer itself. */
  static boolean is(byte[] content) {
    return content.length < MAX_BYTES
        && new String(content, StandardCharsets.ISO_8859_1).startsWith(VERSION);
  }

  /** The pointer that Git LFS would make of a content, without running it. */
  static byte[] to(InputStream content) throws IOException {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
    long size = 0;
    byte[] chunk = new byte[CHUNK_BYTES];
    for (int n = content.read(chunk); n >= 0; n = content.read(chunk)) {
      digest.update(chunk, 0, n);
      size += n;
    }
    String text =
        VERSION
            + "v1\noid sha256:"
            + HexFormat.of().formatHex(digest.digest())
            + "\nsize "
            + size
            + "\n";
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
