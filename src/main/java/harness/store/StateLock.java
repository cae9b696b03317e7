package harness.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Makes one process the owner of a state directory for as long as it holds this. */
final class StateLock implements AutoCloseable {
  private static final String FILE = "harness.lock";

  private static final FileAttribute<?> PRIVATE_DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private static final FileAttribute<?> PRIVATE_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  /**
   * What this process owns. A second channel on a lock file must not even be opened here: when a
   * process closes any descriptor of a file, POSIX drops all its locks on it.
   */
  private static final Set<Path> OWNED = ConcurrentHashMap.newKeySet();

  private final Path directory;
  private final FileChannel channel;
  private final AtomicBoolean closed = new AtomicBoolean();

  private StateLock(Path directory, FileChannel channel) {
    this.directory = directory;
    this.channel = channel;
  }

  /**
   * Creates the directory where it is missing, for its owner alone, and takes it.
   *
   * @throws StoreUnableException where it is in use, or can't be made
   */
  static StateLock take(Path stateDirectory) {
    try {
      Path directory = create(stateDirectory.toAbsolutePath().normalize()).toRealPath();
      if (!OWNED.add(directory)) {
        throw inUse(directory, Long.toString(ProcessHandle.current().pid()));
      }
      StateLock taken = null;
      try {
        taken = lock(directory);
        return taken;
      } finally {
        if (taken == null) {
          OWNED.remove(directory);
        }
      }
    } catch (IOException failure) {
      throw new StoreUnableException(
          "the state directory "
              + stateDirectory
              + " can't be used ("
              + failure
              + "); name one that this process may write",
          failure);
    }
  }

  private static Path create(Path directory) throws IOException {
    List<Path> parents = new ArrayList<>();
    for (Path at = directory; Files.notExists(at); at = parents.getLast()) {
      parents.add(at.getParent());
    }
    Files.createDirectories(directory, PRIVATE_DIRECTORY);
    for (Path parent : parents) {
      sync(parent);
    }
    return directory;
  }

  private static StateLock lock(Path directory) throws IOException {
    Path file = createIfMissing(directory.resolve(FILE));
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      @Nullable FileLock lock = channel.tryLock();
      if (lock == null) {
        throw inUse(directory, Files.readString(file).strip());
      }
      channel.truncate(0);
      channel.write(
          ByteBuffer.wrap(
              Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.UTF_8)));
      return new StateLock(directory, channel);
    } catch (IOException | RuntimeException failure) {
      channel.close();
      throw failure;
    }
  }

  private static StoreUnableException inUse(Path directory, String pid) {
    return new StoreUnableException(
        "the state directory "
            + directory
            + " is in use by another harness (process "
            + pid
            + "); stop that one, or give this one a state directory of its own");
  }

  /** The file, created for its owner alone where it was missing. */
  static Path createIfMissing(Path file) throws IOException {
    // Looked for first, since an attempt on a file that is there would open it.
    return Files.exists(file) ? file : Files.createFile(file, PRIVATE_FILE);
  }

  /** The directory, with all links resolved. */
  Path directory() {
    return directory;
  }

  /** Makes the names of the files in it last, as their contents do. */
  void sync() throws IOException {
    sync(directory);
  }

  private static void sync(Path directory) throws IOException {
    try (FileChannel entries = FileChannel.open(directory, StandardOpenOption.READ)) {
      entries.force(true);
    }
  }

  @Override
  public void close() {
    // Once, because by a second time the directory may be another's.
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    try {
      channel.close();
    } catch (IOException failure) {
      throw new StoreUnableException(
          "the lock of " + directory + " could not be let go; end this process", failure);
    } finally {
      OWNED.remove(directory);
    }
  }
}
