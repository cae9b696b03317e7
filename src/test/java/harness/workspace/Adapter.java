package harness.workspace;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Feature;
import com.google.common.jimfs.Jimfs;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.random.RandomGenerator;

/** The two adapters of {@link Handles}, each with the file system that it is tested on. */
enum Adapter {
  LINUX {
    @Override
    FileSystem files() {
      return FileSystems.getDefault();
    }

    @Override
    Path base(FileSystem files, Path temporary) throws IOException {
      return temporary.toRealPath();
    }

    @Override
    Handles handles(FileSystem files, RandomGenerator names) {
      return new LinuxHandles(names);
    }
  },

  NIO {
    @Override
    FileSystem files() {
      return Jimfs.newFileSystem(
          Configuration.unix().toBuilder()
              .setAttributeViews("unix")
              .setSupportedFeatures(
                  Feature.SECURE_DIRECTORY_STREAM, Feature.LINKS, Feature.SYMBOLIC_LINKS)
              .build());
    }

    @Override
    Path base(FileSystem files, Path temporary) {
      return files.getPath("/work");
    }

    @Override
    Handles handles(FileSystem files, RandomGenerator names) {
      return new NioHandles(files, names);
    }
  };

  abstract FileSystem files();

  /** An empty directory, by its real path. */
  abstract Path base(FileSystem files, Path temporary) throws IOException;

  abstract Handles handles(FileSystem files, RandomGenerator names);
}
