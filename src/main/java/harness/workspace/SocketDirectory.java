package harness.workspace;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The directory of a socket, held open, so that what is done in it is done there whatever becomes
 * of its path. On Linux no link is followed on the way to it; elsewhere it goes by its path.
 */
final class SocketDirectory implements AutoCloseable {
  private static final int DIRECTORY = Libc.O_PATH | Libc.O_DIRECTORY | Libc.O_NOFOLLOW;
  private static final int ENTRY = Libc.O_PATH | Libc.O_NOFOLLOW;
  private static final int READABLE = Libc.O_RDONLY | Libc.O_DIRECTORY;
  private static final Name SELF = Name.of(".");

  /** How often its lock is tried, and the pause between two tries. */
  private static final int LOCK_TRIES = 100;

  private static final Duration LOCK_PAUSE = Duration.ofMillis(20);

  private static final String DESCRIPTORS = "/proc/self/fd/";

  /** The bits of a mode that say what kind of file it is, and those of a socket. */
  private static final int KIND = 0170000;

  private static final int SOCKET = 0140000;

  private final Path path;
  private final Optional<Descriptor> descriptor;

  private SocketDirectory(Path path, Optional<Descriptor> descriptor) {
    this.path = path;
    this.descriptor = descriptor;
  }

  /** What lies at a name: which file it is, and whether it is a socket. */
  record Entry(Object key, boolean socket) {}

  /**
   * @param path absolute and normalised
   */
  static SocketDirectory open(Path path) throws IOException {
    if (!LinuxHandles.fits()) {
      return new SocketDirectory(path, Optional.empty());
    }
    Descriptor at = new Descriptor(Libc.open(Libc.AT_FDCWD, Name.of("/"), DIRECTORY, 0));
    Path reached = path.getRoot();
    for (Path part : path) {
      reached = reached.resolve(part);
      try (Descriptor above = at) {
        Name name = name(part);
        at = above.use(number -> new Descriptor(Libc.open(number, name, DIRECTORY, 0)));
      } catch (NoSuchFileException e) {
        throw unusable(reached, "is not there; make it, or name another place", e);
      } catch (NotDirectoryException e) {
        throw unusable(reached, "is a link or no directory; give the path without links in it", e);
      }
    }
    return new SocketDirectory(path, Optional.of(at));
  }

  private static FileSystemException unusable(Path directory, String why, IOException cause) {
    FileSystemException unusable =
        new FileSystemException("the directory " + directory + " of the socket " + why);
    unusable.initCause(cause);
    return unusable;
  }

  private static Name name(Path part) {
    return Name.of(part.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** A path to an entry, good for as long as this is open. */
  Path at(Path name) throws IOException {
    return descriptor.isPresent() ? of(descriptor.get()).resolve(name) : path.resolve(name);
  }

  private static Path of(Descriptor open) throws IOException {
    return open.use(number -> Path.of(DESCRIPTORS + number));
  }

  /** What lies there; a link is not followed. Empty where nothing does. */
  static Optional<Entry> entry(Path at) throws IOException {
    try {
      Map<String, Object> found =
          Files.readAttributes(at, "unix:mode,fileKey", LinkOption.NOFOLLOW_LINKS);
      boolean socket = found.get("mode") instanceof Integer mode && (mode & KIND) == SOCKET;
      return Optional.of(new Entry(found.getOrDefault("fileKey", at), socket));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /** Holds the directory against others that would put a socket there. */
  interface Lock extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Waits for the lock, 2 s at most; elsewhere than on Linux there is none.
   *
   * @throws FileSystemException where another process does not let it go
   */
  Lock lock() throws IOException {
    if (descriptor.isEmpty()) {
      return () -> {};
    }
    Descriptor readable =
        descriptor.get().use(in -> new Descriptor(Libc.open(in, SELF, READABLE, 0)));
    try {
      for (int attempt = 0; attempt < LOCK_TRIES; attempt++) {
        if (readable.use(Libc::lock)) {
          return readable::close;
        }
        Thread.sleep(LOCK_PAUSE);
      }
      throw new FileSystemException(
          "another process holds the lock of the directory " + path + "; end that one");
    } catch (InterruptedException e) {
      readable.close();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for the lock of " + path);
    } catch (IOException e) {
      readable.close();
      throw e;
    }
  }

  /** What is done with the path of a socket. */
  interface Use<T> {
    T with(Path socket) throws IOException;
  }

  /**
   * Does something with a socket in it, and with that alone: on Linux the path leads to what was
   * looked at, whatever takes its place meanwhile.
   *
   * @throws FileSystemException where it is none
   */
  <T> T socket(Path name, Use<T> use) throws IOException {
    if (descriptor.isEmpty()) {
      return use.with(at(name));
    }
    Name entry = name(name);
    try (Descriptor socket =
        descriptor.get().use(in -> new Descriptor(Libc.open(in, entry, ENTRY, 0)))) {
      if (socket.use(Libc::stat).status().kind() != FileKind.SOCKET) {
        throw new FileSystemException(path.resolve(name) + " is no socket");
      }
      return use.with(of(socket));
    }
  }

  @Override
  public void close() {
    descriptor.ifPresent(Descriptor::close);
  }
}
