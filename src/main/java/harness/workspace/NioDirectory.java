package harness.workspace;

import harness.workspace.PathException.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** An open directory of NIO. */
final class NioDirectory implements OpenDirectory {
  private static final Set<OpenOption> READ =
      Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
  private static final Set<OpenOption> CREATE =
      Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW, LinkOption.NOFOLLOW_LINKS);
  private static final FileAttribute<Set<PosixFilePermission>> NEW_FILE_MODE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r--r--"));
  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE_MODE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final Set<OpenOption> APPEND =
      Set.of(StandardOpenOption.APPEND, StandardOpenOption.CREATE, LinkOption.NOFOLLOW_LINKS);
  private static final String TEMPORARY_PREFIX = ".harness-";
  private static final String TEMPORARY_SUFFIX = ".tmp";
  private static final int TEMPORARY_TRIES = 16;

  private final SecureDirectoryStream<Path> self;
  private final Path path;
  private final FileSystem files;
  private final RandomGenerator names;

  private NioDirectory(SecureDirectoryStream<Path> self, Path path, RandomGenerator names) {
    this.self = self;
    this.path = path;
    this.files = path.getFileSystem();
    this.names = names;
  }

  /** Opens a directory by its path, as the one that others are reached from. */
  static NioDirectory top(Path path, RandomGenerator names) throws IOException {
    DirectoryStream<Path> stream = Files.newDirectoryStream(path);
    if (stream instanceof SecureDirectoryStream<Path> secure) {
      return new NioDirectory(secure, path, names);
    }
    stream.close();
    throw new FileSystemException(
        path.toString(), null, "the file system has no handles of directories");
  }

  private record Key(FileSystem files, Object file) {}

  @Override
  public Object key() throws IOException {
    Object file =
        self.getFileAttributeView(BasicFileAttributeView.class).readAttributes().fileKey();
    if (file == null) {
      throw new FileSystemException(
          path.toString(), null, "the file system does not tell directories apart");
    }
    return new Key(files, file);
  }

  @Override
  public FileStatus status() throws IOException {
    PosixFileAttributeView posix = self.getFileAttributeView(PosixFileAttributeView.class);
    return statusOf(
        posix == null
            ? self.getFileAttributeView(BasicFileAttributeView.class).readAttributes()
            : posix.readAttributes());
  }

  @Override
  public Optional<FileStatus> status(Name name) throws IOException {
    try {
      return Optional.of(statusOf(attributes(name)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private BasicFileAttributes attributes(Name name) throws IOException {
    PosixFileAttributeView posix = posix(name);
    return posix == null
        ? self.getFileAttributeView(
                path(name), BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
            .readAttributes()
        : posix.readAttributes();
  }

  private @Nullable PosixFileAttributeView posix(Name name) throws IOException {
    return self.getFileAttributeView(
        path(name), PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
  }

  @Override
  public OpenDirectory directory(Name name) throws IOException {
    // Opening a FIFO as a directory would wait for a writer.
    if (!attributes(name).isDirectory()) {
      throw new NotDirectoryException(name.toString());
    }
    Path entry = path(name);
    return new NioDirectory(
        self.newDirectoryStream(entry, LinkOption.NOFOLLOW_LINKS), path.resolve(entry), names);
  }

  @Override
  public OpenDirectory again() throws IOException {
    return new NioDirectory(self.newDirectoryStream(files.getPath(".")), path, names);
  }

  @Override
  public FileHandle file(Name name) throws IOException {
    BasicFileAttributes before = attributes(name);
    if (!before.isRegularFile()) {
      throw new NotAFileException(name, kind(before));
    }
    SeekableByteChannel channel = self.newByteChannel(path(name), READ);
    try {
      return new NioFile(channel, statusOf(before));
    } catch (RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  @Override
  public byte[] readLink(Name name) throws IOException {
    if (!attributes(name).isSymbolicLink()) {
      throw new NotALinkException(name);
    }
    return Files.readSymbolicLink(path.resolve(path(name)))
        .toString()
        .getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void makeDirectory(Name name) throws IOException {
    Files.createDirectory(path.resolve(path(name)));
  }

  @Override
  public Temporary temporary(Optional<Name> like) throws IOException {
    Optional<PosixFileAttributes> old = like.isPresent() ? old(like.get()) : Optional.empty();
    FileAttribute<Set<PosixFilePermission>> mode = old.isPresent() ? PRIVATE_MODE : NEW_FILE_MODE;
    Temporary file = unused(TEMPORARY_PREFIX, TEMPORARY_SUFFIX, name -> create(name, mode));
    try {
      if (old.isPresent()) {
        adopt(file.name(), old.get());
      }
      return file;
    } catch (IOException | RuntimeException e) {
      file.close();
      unlink(file.name());
      throw e;
    }
  }

  private NioFile.Temporary create(Name name, FileAttribute<Set<PosixFilePermission>> mode)
      throws IOException {
    SeekableByteChannel channel =
        posix(name) == null
            ? self.newByteChannel(path(name), CREATE)
            : self.newByteChannel(path(name), CREATE, mode);
    return new NioFile.Temporary(name, channel, change -> changeMode(name, change));
  }

  private interface Making<T> {
    T as(Name name) throws IOException;
  }

  /** Makes something under a name that nothing has. */
  private <T> T unused(String prefix, String suffix, Making<T> making) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        return making.as(Name.of(prefix + HexFormat.of().toHexDigits(names.nextLong()) + suffix));
      } catch (FileAlreadyExistsException e) {
        if (attempt == TEMPORARY_TRIES) {
          throw e;
        }
      }
    }
  }

  private void changeMode(Name name, IntUnaryOperator change) throws IOException {
    PosixFileAttributeView view = posix(name);
    if (view != null) {
      int mode = change.applyAsInt(mode(view.readAttributes().permissions()));
      Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
      for (PosixFilePermission permission : PosixFilePermission.values()) {
        if ((mode & (0400 >> permission.ordinal())) != 0) {
          permissions.add(permission);
        }
      }
      view.setPermissions(permissions);
    }
  }

  @Override
  public Temporary create(Name name) throws IOException {
    return create(name, NEW_FILE_MODE);
  }

  @Override
  public Temporary temporary(String prefix) throws IOException {
    return unused(prefix, "", this::create);
  }

  @Override
  public Name temporaryLink(byte[] target) throws IOException {
    Path to = files.getPath(new String(target, StandardCharsets.UTF_8));
    return unused(
        TEMPORARY_PREFIX,
        TEMPORARY_SUFFIX,
        name -> {
          Files.createSymbolicLink(path.resolve(path(name)), to);
          return name;
        });
  }

  @Override
  public void append(Name name, byte[] content) throws IOException {
    Optional<FileStatus> before = status(name);
    if (before.isPresent() && before.get().kind() != FileKind.FILE) {
      throw new NotAFileException(name, before.get().kind());
    }
    try (SeekableByteChannel channel = self.newByteChannel(path(name), APPEND)) {
      ByteBuffer rest = ByteBuffer.wrap(content);
      while (rest.hasRemaining()) {
        channel.write(rest);
      }
    }
  }

  private Optional<PosixFileAttributes> old(Name name) throws IOException {
    PosixFileAttributeView view = posix(name);
    if (view == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(view.readAttributes()).filter(PosixFileAttributes::isRegularFile);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private void adopt(Name name, PosixFileAttributes old) throws IOException {
    PosixFileAttributeView view = posix(name);
    if (view == null) {
      return;
    }
    PosixFileAttributes mine = view.readAttributes();
    try {
      if (!mine.owner().equals(old.owner())) {
        view.setOwner(old.owner());
      }
      if (!mine.group().equals(old.group())) {
        view.setGroup(old.group());
      }
    } catch (FileSystemException e) {
      // Only root gives files away; for others the file becomes that of who writes it.
      view.setPermissions(EnumSet.copyOf(old.permissions()));
      return;
    }
    view.setPermissions(EnumSet.copyOf(old.permissions()));
  }

  @Override
  public void rename(Name from, Name to) throws IOException {
    try {
      self.move(path(from), self, path(to));
    } catch (FileAlreadyExistsException e) {
      // A file system in memory may know no move over something; the old one goes first then.
      self.deleteFile(path(to));
      self.move(path(from), self, path(to));
    }
  }

  @Override
  public void move(Name from, OpenDirectory directory, Name to) throws IOException {
    if (!(directory instanceof NioDirectory other)) {
      throw new IllegalArgumentException("a directory of other handles: " + directory);
    }
    if (other.status(to).isPresent()) {
      throw new FileAlreadyExistsException(to.toString());
    }
    if (attributes(from).isSymbolicLink()) {
      // A file system in memory may move what the link leads to.
      Path target = Files.readSymbolicLink(path.resolve(path(from)));
      Files.createSymbolicLink(other.path.resolve(path(to)), target);
      self.deleteFile(path(from));
      return;
    }
    try {
      self.move(path(from), other.self, path(to));
    } catch (AtomicMoveNotSupportedException e) {
      throw new OtherFileSystemException(to);
    }
  }

  @Override
  public void unlink(Name name) throws IOException {
    self.deleteFile(path(name));
  }

  @Override
  public void removeDirectory(Name name) throws IOException {
    self.deleteDirectory(path(name));
  }

  @Override
  public boolean abandoned(Name temporary) {
    return true;
  }

  @Override
  public Entries entries() throws IOException {
    return new NioEntries(this, self.newDirectoryStream(files.getPath(".")));
  }

  @Override
  public void sync() {
    // There is no way to sync a directory by handle here; Handles.nio says so.
  }

  @Override
  public void close() {
    try {
      self.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path path(Name name) throws PathException {
    String text = new String(name.bytes(), StandardCharsets.UTF_8);
    try {
      Path path = files.getPath(text);
      if (Name.of(text.getBytes(StandardCharsets.UTF_8)).equals(name)
          && path.getNameCount() == 1
          && !path.isAbsolute()) {
        return path;
      }
    } catch (InvalidPathException e) {
      throw new PathException(Kind.INVALID, "'" + name + "' is no name here: " + e.getReason(), e);
    }
    throw new PathException(
        Kind.INVALID, "'" + name + "' is no name here: only text is, not any bytes");
  }

  private static FileStatus statusOf(BasicFileAttributes attributes) {
    return new FileStatus(
        kind(attributes),
        attributes.size(),
        attributes instanceof PosixFileAttributes posix ? mode(posix.permissions()) : 0,
        attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS),
        0,
        attributes.fileKey() instanceof Number number ? number.longValue() : 0);
  }

  private static FileKind kind(BasicFileAttributes attributes) {
    if (attributes.isSymbolicLink()) {
      return FileKind.LINK;
    }
    if (attributes.isDirectory()) {
      return FileKind.DIRECTORY;
    }
    return attributes.isRegularFile() ? FileKind.FILE : FileKind.OTHER;
  }

  private static int mode(Set<PosixFilePermission> permissions) {
    int mode = 0;
    for (PosixFilePermission permission : permissions) {
      // In the order of rwxrwxrwx.
      mode |= 0400 >> permission.ordinal();
    }
    return mode;
  }
}
