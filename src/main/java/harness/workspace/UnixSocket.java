package harness.workspace;

import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * A Unix socket with a name that others connect to. It appears whole, with its mode, and takes the
 * place of one that nobody listens at any more, but never that of a live one or of anything else.
 */
public final class UnixSocket implements AutoCloseable {
  /**
   * Who may connect: its owner and its group, which the containers of a pod can share without
   * sharing a user.
   */
  private static final Set<PosixFilePermission> MODE = PosixFilePermissions.fromString("rw-rw----");

  private static final FileAttribute<?> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  /** Connections that wait to be taken. */
  private static final int BACKLOG = 64;

  private static final Path NEW = Path.of("new");

  private final Path path;
  private final SocketDirectory directory;
  private final ServerSocketChannel channel;
  private final Object key;

  private UnixSocket(
      Path path, SocketDirectory directory, ServerSocketChannel channel, Object key) {
    this.path = path;
    this.directory = directory;
    this.channel = channel;
    this.key = key;
  }

  /**
   * Listens.
   *
   * @param path absolute and normalised; its directory is there, and no link leads to it
   * @param names where the name of the directory comes from in which the socket is made
   * @throws IOException with a sentence that names the path and the mend
   */
  public static UnixSocket listen(Path path, RandomGenerator names) throws IOException {
    SocketDirectory directory = SocketDirectory.open(parent(path));
    try {
      Path workshop =
          directory.at(
              Path.of(".harness-" + HexFormat.of().toHexDigits(names.nextLong()) + ".tmp"));
      Files.createDirectory(workshop, PRIVATE);
      try {
        return listen(path, directory, workshop);
      } finally {
        Files.deleteIfExists(workshop.resolve(NEW));
        Files.delete(workshop);
      }
    } catch (IOException | RuntimeException e) {
      directory.close();
      throw e;
    }
  }

  private static UnixSocket listen(Path path, SocketDirectory directory, Path workshop)
      throws IOException {
    ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      Path made = workshop.resolve(NEW);
      channel.bind(UnixDomainSocketAddress.of(made), BACKLOG);
      Files.setPosixFilePermissions(made, MODE);
      Path at = directory.at(path.getFileName());
      try (SocketDirectory.Lock _ = directory.lock()) {
        clear(path, at);
        Files.createLink(at, made);
      }
      Object key = SocketDirectory.entry(made).orElseThrow().key();
      return new UnixSocket(path, directory, channel, key);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** Takes a socket away that nobody listens at. */
  private static void clear(Path path, Path at) throws IOException {
    Optional<SocketDirectory.Entry> found = SocketDirectory.entry(at);
    if (found.isEmpty()) {
      return;
    }
    if (!found.get().socket()) {
      throw new FileSystemException(
          path + " is there and is no socket; remove it, or name another place");
    }
    try (SocketChannel _ = dial(at)) {
      throw taken(path);
    } catch (ConnectException nobody) {
      Files.delete(at);
    }
  }

  private static FileSystemException taken(Path path) {
    return new FileSystemException(
        "another runner listens at " + path + "; end that one, or name another socket");
  }

  /**
   * Connects to a socket; links are not followed.
   *
   * @param path absolute and normalised
   * @return a channel that never waits
   * @throws IOException with a sentence that says why not
   */
  public static SocketChannel connect(Path path) throws IOException {
    try (SocketDirectory directory = SocketDirectory.open(parent(path))) {
      return directory.socket(path.getFileName(), UnixSocket::dial);
    } catch (ConnectException e) {
      ConnectException nobody = new ConnectException("nobody listens at " + path);
      nobody.initCause(e);
      throw nobody;
    }
  }

  private static SocketChannel dial(Path at) throws IOException {
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      // Where too many wait to be taken, a channel that waits would wait for ever.
      channel.configureBlocking(false);
      if (!channel.connect(UnixDomainSocketAddress.of(at))) {
        throw new FileSystemException("too many connections wait there to be taken");
      }
      return channel;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static Path parent(Path path) throws IOException {
    Path parent = path.getParent();
    if (!path.isAbsolute() || parent == null || !path.equals(path.normalize())) {
      throw new FileSystemException("a socket has an absolute path without '..'; got " + path);
    }
    return parent;
  }

  /** Where connections come in. */
  public ServerSocketChannel channel() {
    return channel;
  }

  /** Takes the name away where it is still this one's, and takes no more connections. */
  @Override
  public void close() throws IOException {
    try (directory;
        channel) {
      Path at = directory.at(path.getFileName());
      if (SocketDirectory.entry(at).filter(found -> found.key().equals(key)).isPresent()) {
        Files.delete(at);
      }
    }
  }
}
