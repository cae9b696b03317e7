package harness.workspace;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Feature;
import com.google.common.jimfs.Jimfs;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;

class NioRootTest extends RootContract {
  private final FileSystem files = memory();

  /** A file system in memory that has handles of directories. */
  static FileSystem memory() {
    return Jimfs.newFileSystem(
        Configuration.unix().toBuilder()
            .setAttributeViews("unix")
            .setSupportedFeatures(
                Feature.SECURE_DIRECTORY_STREAM, Feature.LINKS, Feature.SYMBOLIC_LINKS)
            .build());
  }

  @AfterEach
  void drop() throws IOException {
    files.close();
  }

  @Override
  Path base() {
    return files.getPath("/work");
  }

  @Override
  Handles handles() {
    return new NioHandles(files, new Random(1));
  }
}
