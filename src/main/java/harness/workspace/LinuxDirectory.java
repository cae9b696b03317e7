package harness.workspace;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** An open directory of Linux: a path descriptor, for which no right to list it is needed. */
final class LinuxDirectory implements OpenDirectory {
  private static final int DIRECTORY = Libc.O_PATH | Libc.O_DIRECTORY | Libc.O_NOFOLLOW;

  // Without O_NONBLOCK, opening a FIFO would wait for a writer.
  private static final int FILE = Libc.O_RDONLY | Libc.O_NOFOLLOW | Libc.O_NONBLOCK | Libc.O_NOCTTY;

  private static final int NEW = Libc.O_WRONLY | Libc.O_CREAT | Libc.O_EXCL | Libc.O_NOFOLLOW;
  private static final int NEW_FILE_MODE = 0666;
  private static final int NEW_DIRECTORY_MODE = 0777;
  private static final int PRIVATE_MODE = 0600;

  /** What is kept of a mode: a write by hand takes the set-user and set-group bits away too. */
  private static final int KEPT_MODE = 0777;

  private static final int TEMPORARY_TRIES = 16;
  private static final Name SELF = Name.of(".");
  private static final Name TOP = Name.of("/");

  private final Descriptor self;
  private final RandomGenerator names;

  private LinuxDirectory(Descriptor self, RandomGenerator names) {
    this.self = self;
    this.names = names;
  }

  /** Opens the directory at the top of the file system. */
  static LinuxDirectory top(RandomGenerator names) throws IOException {
    return new LinuxDirectory(new Descriptor(Libc.open(Libc.AT_FDCWD, TOP, DIRECTORY, 0)), names);
  }

  /** Which directory it is. */
  private record Key(long device, long inode) {}

  @Override
  public Object key() throws IOException {
    FileStatus status = status();
    return new Key(status.device(), status.inode());
  }

  @Override
  public FileStatus status() throws IOException {
    return self.use(Libc::stat).status();
  }

  @Override
  public Optional<FileStatus> status(Name name) throws IOException {
    return self.use(in -> Libc.stat(in, name)).map(Libc.Stat::status);
  }

  @Override
  public OpenDirectory directory(Name name) throws IOException {
    return new LinuxDirectory(
        self.use(in -> new Descriptor(Libc.open(in, name, DIRECTORY, 0))), names);
  }

  @Override
  public OpenDirectory again() throws IOException {
    return directory(SELF);
  }

  @Override
  public FileHandle file(Name name) throws IOException {
    return self.use(in -> openFile(in, name));
  }

  @Override
  public byte[] readLink(Name name) throws IOException {
    try {
      return self.use(in -> Libc.readLink(in, name));
    } catch (Libc.Failed e) {
      if (e.errno() == Libc.EINVAL) {
        throw new NotALinkException(name);
      }
      throw e;
    }
  }

  @Override
  public void makeDirectory(Name name) throws IOException {
    self.run(in -> Libc.makeDirectory(in, name, NEW_DIRECTORY_MODE));
  }

  @Override
  public Temporary temporary(Optional<Name> like) throws IOException {
    return self.use(in -> createTemporary(in, like));
  }

  @Override
  public void rename(Name from, Name to) throws IOException {
    self.run(in -> Libc.rename(in, from, in, to));
  }

  @Override
  public void move(Name from, OpenDirectory directory, Name to) throws IOException {
    if (!(directory instanceof LinuxDirectory other)) {
      throw new IllegalArgumentException("a directory of other handles: " + directory);
    }
    self.run(in -> other.self.run(out -> move(in, from, out, to)));
  }

  private static void move(int in, Name from, int out, Name to) throws IOException {
    try {
      Libc.move(in, from, out, to);
    } catch (Libc.Failed e) {
      switch (e.errno()) {
        case Libc.EXDEV -> throw new OtherFileSystemException(to);
        case Libc.EINVAL -> {
          // Some file systems know no such move; there a look has to do.
          if (Libc.stat(out, to).isPresent()) {
            throw new FileAlreadyExistsException(to.toString());
          }
          Libc.rename(in, from, out, to);
        }
        default -> throw e;
      }
    }
  }

  @Override
  public void unlink(Name name) throws IOException {
    self.run(in -> Libc.unlink(in, name));
  }

  @Override
  public void removeDirectory(Name name) throws IOException {
    self.run(in -> Libc.removeDirectory(in, name));
  }

  @Override
  public boolean abandoned(Name temporary) throws IOException {
    try (LinuxFile file = self.use(in -> openFile(in, temporary))) {
      return file.file().use(Libc::lock) == 0;
    }
  }

  @Override
  public Entries entries() throws IOException {
    return new LinuxEntries(this, readable());
  }

  @Override
  public void sync() throws IOException {
    try (Descriptor readable = readable()) {
      readable.run(number -> Libc.sync(number));
    }
  }

  /** A path descriptor can be walked with no right to read the directory, but not listed. */
  private Descriptor readable() throws IOException {
    return self.use(in -> new Descriptor(Libc.open(in, SELF, Libc.O_RDONLY | Libc.O_DIRECTORY, 0)));
  }

  @Override
  public void close() {
    self.close();
  }

  private static LinuxFile openFile(int directory, Name name) throws IOException {
    Descriptor file;
    try {
      file = new Descriptor(Libc.open(directory, name, FILE, 0));
    } catch (Libc.Failed e) {
      if (e.errno() == Libc.ELOOP || e.errno() == Libc.ENXIO) {
        FileKind kind =
            Libc.stat(directory, name).map(stat -> stat.status().kind()).orElse(FileKind.OTHER);
        throw new NotAFileException(name, kind);
      }
      throw e;
    }
    try {
      FileKind kind = file.use(Libc::stat).status().kind();
      if (kind != FileKind.FILE) {
        throw new NotAFileException(name, kind);
      }
      return new LinuxFile(file);
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  private LinuxFile.Temporary createTemporary(int directory, Optional<Name> like)
      throws IOException {
    Optional<Libc.Stat> old =
        like.isPresent() ? Libc.stat(directory, like.get()) : Optional.empty();
    old = old.filter(stat -> stat.status().kind() == FileKind.FILE);
    for (int attempt = 1; ; attempt++) {
      Name name = Name.of(".harness-" + HexFormat.of().toHexDigits(names.nextLong()) + ".tmp");
      Descriptor file;
      try {
        file =
            new Descriptor(
                Libc.open(directory, name, NEW, old.isPresent() ? PRIVATE_MODE : NEW_FILE_MODE));
      } catch (FileAlreadyExistsException e) {
        if (attempt == TEMPORARY_TRIES) {
          throw e;
        }
        continue;
      }
      try {
        // Tells that its maker lives; where the file system has no locks, only its age does.
        int ignored = file.use(Libc::lock);
        if (old.isPresent()) {
          adopt(file, old.get());
        }
        return new LinuxFile.Temporary(name, file);
      } catch (IOException | RuntimeException e) {
        file.close();
        Libc.unlink(directory, name);
        throw e;
      }
    }
  }

  private static void adopt(Descriptor file, Libc.Stat old) throws IOException {
    file.run(
        number -> {
          // The mode first: once the file is another's, root needs a right of its own for that.
          Libc.mode(number, old.status().mode() & KEPT_MODE);
          Libc.Stat mine = Libc.stat(number);
          if (mine.uid() != old.uid() || mine.gid() != old.gid()) {
            giveAway(number, old);
          }
        });
  }

  private static void giveAway(int file, Libc.Stat old) throws IOException {
    try {
      Libc.owner(file, old.uid(), old.gid());
    } catch (Libc.Failed e) {
      // Only root gives files away, and only to owners that its namespace knows; else the file
      // becomes that of who writes it.
      if (e.errno() != Libc.EPERM && e.errno() != Libc.EINVAL) {
        throw e;
      }
    }
  }
}
