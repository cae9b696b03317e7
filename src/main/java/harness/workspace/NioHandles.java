package harness.workspace;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.SecureDirectoryStream;
import java.util.random.RandomGenerator;

/** Handles over {@link SecureDirectoryStream}; {@link Handles#nio} states their limits. */
final class NioHandles implements Handles {
  private final FileSystem files;
  private final RandomGenerator names;

  NioHandles(FileSystem files, RandomGenerator names) {
    this.files = files;
    this.names = names;
  }

  @Override
  public OpenDirectory top() throws IOException {
    return NioDirectory.top(files.getRootDirectories().iterator().next(), names);
  }
}
