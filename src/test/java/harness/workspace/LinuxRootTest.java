package harness.workspace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;

class LinuxRootTest extends RootContract {
  @TempDir Path directory;

  @Override
  Path base() {
    try {
      return directory.toRealPath();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  Handles handles() {
    return new LinuxHandles(new Random(1));
  }
}
