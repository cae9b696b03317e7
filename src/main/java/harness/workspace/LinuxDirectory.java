package harness.workspace;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;

/** An open directory of Linux: a path descriptor, for which no right to list it is needed. */
final class LinuxDirectory implements OpenDirectory {
  private static final int DIRECTORY = Libc.O_PATH | Libc.O_DIRECTORY | Libc.O_NOFOLLOW;

  private static final int LISTABLE = Libc.O_RDONLY | Libc.O_DIRECTORY | Libc.O_NOFOLLOW;

  // Without O_NONBLOCK, opening a FIFO would wait for a writer.
  private static final int FILE = Libc.O_RDONLY | Libc.O_NOFOLLOW | Libc.O_NONBLOCK | Libc.O_NOCTTY;

  private static final int NEW = Libc.O_WRONLY | Libc.O_CREAT | Libc.O_EXCL | Libc.O_NOFOLLOW;
  private static final int APPENDED =
      Libc.O_WRONLY
          | Libc.O_CREAT
          | Libc.O_APPEND
          | Libc.O_NOFOLLOW
          | Libc.O_NONBLOCK
          | Libc.O_NOCTTY;
  private static final int NEW_FILE_MODE = 0666;
  private static final int NEW_DIRECTORY_MODE = 0777;
  private static final int PRIVATE_MODE = 0600;

  /** What is kept of a mode: a write by hand takes the set-user and set-group bits away too. */
  private static final int KEPT_MODE = 0777;

  private static final String TEMPORARY_PREFIX = ".harness-";
  private static final String TEMPORARY_SUFFIX = ".tmp";
  private static final int TEMPORARY_TRIES = 16;
  private static final Name SELF = Name.of(".");
  private static final Name TOP = Name.of("/");

  private final Descriptor self;
  private final RandomGenerator names;

  /** Whether it is open for reading, at its start, which one listing uses up. */
  private final AtomicBoolean listable;

  private LinuxDirectory(Descriptor self, RandomGenerator names) {
    this(self, names, false);
  }

  private LinuxDirectory(Descriptor self, RandomGenerator names, boolean listable) {
    this.self = self;
    this.names = names;
    this.listable = new AtomicBoolean(listable);
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
  public Optional<Inode> inode(Name name) throws IOException {
    return self.use(in -> Glance.ofThread().inode(in, name));
  }

  @Override
  public Listing listing() throws IOException {
    if (listable.compareAndSet(true, false)) {
      return self.use(Glance.ofThread()::list);
    }
    try (Descriptor readable = readable()) {
      return readable.use(Glance.ofThread()::list);
    }
  }

  @Override
  public OpenDirectory listable(Name name) throws IOException {
    try {
      return new LinuxDirectory(
          self.use(in -> new Descriptor(Glance.ofThread().open(in, name, LISTABLE))), names, true);
    } catch (AccessDeniedException e) {
      // It can still be walked; only listing it fails then.
      return directory(name);
    }
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
  public Temporary create(Name name) throws IOException {
    return self.use(
        in ->
            new LinuxFile.Temporary(name, new Descriptor(Libc.open(in, name, NEW, NEW_FILE_MODE))));
  }

  @Override
  public Temporary temporary(String prefix) throws IOException {
    return unused(prefix, "", this::create);
  }

  @Override
  public Name temporaryLink(byte[] target) throws IOException {
    return unused(
        TEMPORARY_PREFIX,
        TEMPORARY_SUFFIX,
        name -> {
          self.run(in -> Libc.link(in, name, target));
          return name;
        });
  }

  @Override
  public void append(Name name, byte[] content) throws IOException {
    self.run(in -> append(in, name, content));
  }

  private static void append(int directory, Name name, byte[] content) throws IOException {
    try (LinuxFile opened =
        opened(directory, name, () -> Libc.open(directory, name, APPENDED, NEW_FILE_MODE))) {
      new LinuxFile.Temporary(name, opened.file()).write(content);
    }
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
      return file.file().use(Libc::lock);
    }
  }

  @Override
  public Entries entries() throws IOException {
    return listable.compareAndSet(true, false)
        ? new LinuxEntries(this, self, false)
        : new LinuxEntries(this, readable(), true);
  }

  @Override
  public void sync() throws IOException {
    try (Descriptor readable = readable()) {
      readable.run(number -> Libc.sync(number));
    }
  }

  @Override
  public <T> T enter(Root.Entering<T> use) throws IOException {
    return self.use(
        number -> {
          FileStatus status = Libc.stat(number).status();
          byte[] path = Libc.readLink(Libc.AT_FDCWD, Name.of("/proc/self/fd/" + number));
          return use.in(new Root.Entry(number, path, status.device(), status.inode()));
        });
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
    return opened(directory, name, () -> Libc.open(directory, name, FILE, 0));
  }

  private interface Opening {
    int open() throws IOException;
  }

  /** What was opened, unless it is no regular file. */
  private static LinuxFile opened(int directory, Name name, Opening opening) throws IOException {
    Descriptor file;
    try {
      file = new Descriptor(opening.open());
    } catch (Libc.Failed e) {
      if (e.errno() == Libc.ELOOP || e.errno() == Libc.ENXIO) {
        FileKind kind =
            Libc.stat(directory, name).map(stat -> stat.status().kind()).orElse(FileKind.OTHER);
        throw new NotAFileException(name, kind);
      }
      throw e;
    }
    try {
      FileStatus status = file.use(Libc::stat).status();
      if (status.kind() != FileKind.FILE) {
        throw new NotAFileException(name, status.kind());
      }
      return new LinuxFile(file, status.size());
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
    int mode = old.isPresent() ? PRIVATE_MODE : NEW_FILE_MODE;
    LinuxFile.Temporary file =
        unused(
            TEMPORARY_PREFIX,
            TEMPORARY_SUFFIX,
            name ->
                new LinuxFile.Temporary(
                    name, new Descriptor(Libc.open(directory, name, NEW, mode))));
    try {
      lock(file.file());
      if (old.isPresent()) {
        adopt(file.file(), old.get());
      }
      return file;
    } catch (IOException | RuntimeException e) {
      file.close();
      Libc.unlink(directory, file.name());
      throw e;
    }
  }

  /** Tells that its maker lives. */
  private static void lock(Descriptor file) throws IOException {
    try {
      boolean unused = file.use(Libc::lock);
    } catch (Libc.Failed e) {
      // A file system without locks; there only its age tells.
      return;
    }
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
