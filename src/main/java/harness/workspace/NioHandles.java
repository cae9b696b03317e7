package harness.workspace;

import harness.workspace.PathException.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
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
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Handles over {@link SecureDirectoryStream}; {@link Handles#nio} states its limits. */
final class NioHandles implements Handles {
  private static final Set<OpenOption> READ =
      Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
  private static final Set<OpenOption> CREATE =
      Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW, LinkOption.NOFOLLOW_LINKS);
  private static final FileAttribute<Set<PosixFilePermission>> NEW_FILE_MODE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r--r--"));
  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE_MODE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final int TEMPORARY_TRIES = 16;

  private final FileSystem files;
  private final RandomGenerator names;

  NioHandles(FileSystem files, RandomGenerator names) {
    this.files = files;
    this.names = names;
  }

  @Override
  public OpenDirectory top() throws IOException {
    Path top = files.getRootDirectories().iterator().next();
    return new NioDirectory(secure(Files.newDirectoryStream(top), top), top);
  }

  private static SecureDirectoryStream<Path> secure(DirectoryStream<Path> stream, Path path)
      throws IOException {
    if (stream instanceof SecureDirectoryStream<Path> secure) {
      return secure;
    }
    stream.close();
    throw new FileSystemException(
        path.toString(), null, "the file system has no handles of directories");
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

  private static FileStatus status(BasicFileAttributes attributes) {
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

  private final class NioDirectory implements OpenDirectory {
    private final SecureDirectoryStream<Path> self;
    private final Path path;

    NioDirectory(SecureDirectoryStream<Path> self, Path path) {
      this.self = self;
      this.path = path;
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
      return NioHandles.status(
          posix == null
              ? self.getFileAttributeView(BasicFileAttributeView.class).readAttributes()
              : posix.readAttributes());
    }

    @Override
    public FileStatus status(Name name) throws IOException {
      return NioHandles.status(attributes(name));
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
      if (status(name).kind() != FileKind.DIRECTORY) {
        throw new NotDirectoryException(name.toString());
      }
      Path entry = path(name);
      return new NioDirectory(
          self.newDirectoryStream(entry, LinkOption.NOFOLLOW_LINKS), path.resolve(entry));
    }

    @Override
    public OpenDirectory again() throws IOException {
      return new NioDirectory(self.newDirectoryStream(files.getPath(".")), path);
    }

    @Override
    public FileHandle file(Name name) throws IOException {
      BasicFileAttributes before = attributes(name);
      if (!before.isRegularFile()) {
        throw new NotAFileException(name, kind(before));
      }
      SeekableByteChannel channel = self.newByteChannel(path(name), READ);
      try {
        return new NioFile(channel, NioHandles.status(before));
      } catch (RuntimeException e) {
        channel.close();
        throw e;
      }
    }

    @Override
    public byte[] readLink(Name name) throws IOException {
      if (status(name).kind() != FileKind.LINK) {
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
      for (int attempt = 1; ; attempt++) {
        Name name = Name.of(".harness-" + HexFormat.of().toHexDigits(names.nextLong()) + ".tmp");
        SeekableByteChannel channel;
        try {
          channel =
              posix(name) == null
                  ? self.newByteChannel(path(name), CREATE)
                  : self.newByteChannel(
                      path(name), CREATE, old.isPresent() ? PRIVATE_MODE : NEW_FILE_MODE);
        } catch (FileAlreadyExistsException e) {
          if (attempt == TEMPORARY_TRIES) {
            throw e;
          }
          continue;
        }
        try {
          if (old.isPresent()) {
            adopt(name, old.get());
          }
          return new NioTemporary(name, channel);
        } catch (IOException | RuntimeException e) {
          channel.close();
          unlink(name);
          throw e;
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
    public void unlink(Name name) throws IOException {
      self.deleteFile(path(name));
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
  }

  private static final class NioEntries implements OpenDirectory.Entries {
    private final NioDirectory directory;
    private final DirectoryStream<Path> listing;
    private final Iterator<Path> paths;

    NioEntries(NioDirectory directory, DirectoryStream<Path> listing) {
      this.directory = directory;
      this.listing = listing;
      this.paths = listing.iterator();
    }

    @Override
    public boolean hasNext() {
      try {
        if (paths.hasNext()) {
          return true;
        }
      } catch (DirectoryIteratorException e) {
        throw new UncheckedIOException(e.getCause());
      }
      close();
      return false;
    }

    @Override
    public Directory.Entry next() {
      Path path = paths.next();
      String text = path.getName(path.getNameCount() - 1).toString();
      try {
        Name name = Name.of(text.getBytes(StandardCharsets.UTF_8));
        return new Directory.Entry(name.toString(), directory.status(name).kind());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() {
      try {
        listing.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private record NioTemporary(Name name, SeekableByteChannel channel)
      implements OpenDirectory.Temporary {
    @Override
    public void write(byte[] content) throws IOException {
      ByteBuffer rest = ByteBuffer.wrap(content);
      while (rest.hasRemaining()) {
        channel.write(rest);
      }
    }

    @Override
    public void sync() throws IOException {
      if (channel instanceof java.nio.channels.FileChannel file) {
        file.force(true);
      }
    }

    @Override
    public void close() {
      try {
        channel.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private record NioFile(SeekableByteChannel channel, FileStatus opened) implements FileHandle {
    @Override
    public FileStatus status() throws IOException {
      return new FileStatus(
          opened.kind(),
          channel.size(),
          opened.mode(),
          opened.modifiedNanos(),
          opened.device(),
          opened.inode());
    }

    @Override
    public int read(ByteBuffer buffer, long position) throws IOException {
      synchronized (channel) {
        return channel.position(position).read(buffer);
      }
    }

    @Override
    public void close() {
      try {
        channel.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
