package harness.workspace.git;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** One of git's own small files, read whole and never beyond a bound. */
final class SmallFile {
  private SmallFile() {}

  /**
   * Its text; empty where nothing is there.
   *
   * @throws GitException where it is no regular file or larger than {@code maxBytes}
   */
  static Optional<String> text(Path file, int maxBytes) throws IOException {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    if (!Files.isRegularFile(file)) {
      throw new GitException(file + " is no regular file; git needs one there");
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] read = in.readNBytes(maxBytes + 1);
      if (read.length > maxBytes) {
        throw new GitException(file + " is larger than " + maxBytes + " bytes, so it is not read");
      }
      return Optional.of(new String(read, StandardCharsets.UTF_8));
    }
  }
}
