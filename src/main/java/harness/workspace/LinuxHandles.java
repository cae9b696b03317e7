package harness.workspace;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HexFormat;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/** The calls of Linux itself, through {@code java.lang.foreign}: names are bytes. */
final class LinuxHandles implements Handles {
  private static final int DIRECTORY = Libc.O_PATH | Libc.O_DIRECTORY | Libc.O_NOFOLLOW;

  // Without O_NONBLOCK, opening a FIFO would wait for a writer.
  private static final int FILE = Libc.O_RDONLY | Libc.O_NOFOLLOW | Libc.O_NONBLOCK | Libc.O_NOCTTY;

  private static final int NEW = Libc.O_WRONLY | Libc.O_CREAT | Libc.O_EXCL | Libc.O_NOFOLLOW;
  private static final int NEW_FILE_MODE = 0666;
  private static final int NEW_DIRECTORY_MODE = 0777;
  private static final int PRIVATE_MODE = 0600;

  /** What is kept of a mode: a write by hand takes the set-user and set-group bits away too. */
  private static final int KEPT_MODE = 01777;

  /** The most that one read or write copies, in bytes. */
  private static final int CHUNK_BYTES = 256 * 1024;

  private static final int ENTRIES_BYTES = 32 * 1024;
  private static final int TEMPORARY_TRIES = 16;
  private static final Name SELF = Name.of(".");
  private static final Name TOP = Name.of("/");
  private static final int NO_DIRECTORY = -100;

  private final RandomGenerator names;

  LinuxHandles(RandomGenerator names) {
    this.names = names;
  }

  /** Whether this machine is one whose numbers {@link Libc} knows. */
  static boolean fits() {
    String machine = System.getProperty("os.arch", "");
    return System.getProperty("os.name", "").equals("Linux")
        && (machine.equals("amd64") || machine.equals("aarch64"));
  }

  @Override
  public OpenDirectory top() throws IOException {
    return new LinuxDirectory(new Descriptor(Libc.open(NO_DIRECTORY, TOP, DIRECTORY, 0)));
  }

  /** Which directory it is. */
  private record Key(long device, long inode) {}

  /**
   * A descriptor that is closed when the last call on it has ended: closed under a call, its number
   * could by then be another file's.
   */
  private static final class Descriptor implements AutoCloseable {
    private final int number;
    private final AtomicInteger users = new AtomicInteger(1);
    private final AtomicBoolean closed = new AtomicBoolean();

    Descriptor(int number) {
      this.number = number;
    }

    private interface Use<T> {
      T on(int number) throws IOException;
    }

    <T> T use(Use<T> use) throws IOException {
      if (users.getAndUpdate(n -> n == 0 ? 0 : n + 1) == 0) {
        throw new ClosedChannelException();
      }
      try {
        if (closed.get()) {
          throw new ClosedChannelException();
        }
        return use.on(number);
      } finally {
        release();
      }
    }

    private void release() {
      if (users.decrementAndGet() == 0) {
        Libc.close(number);
      }
    }

    @Override
    public void close() {
      if (closed.compareAndSet(false, true)) {
        release();
      }
    }
  }

  private static LinuxFile openFile(int directory, Name name) throws IOException {
    Descriptor file;
    try {
      file = new Descriptor(Libc.open(directory, name, FILE, 0));
    } catch (Libc.Failed e) {
      if (e.errno() == Libc.ELOOP || e.errno() == Libc.ENXIO) {
        throw new OpenDirectory.NotAFileException(name, Libc.stat(directory, name).status().kind());
      }
      throw e;
    }
    try {
      FileKind kind = file.use(Libc::stat).status().kind();
      if (kind != FileKind.FILE) {
        throw new OpenDirectory.NotAFileException(name, kind);
      }
      return new LinuxFile(file);
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  private final class LinuxDirectory implements OpenDirectory {
    private final Descriptor self;

    LinuxDirectory(Descriptor self) {
      this.self = self;
    }

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
    public FileStatus status(Name name) throws IOException {
      return self.use(in -> Libc.stat(in, name)).status();
    }

    @Override
    public OpenDirectory directory(Name name) throws IOException {
      return new LinuxDirectory(self.use(in -> new Descriptor(Libc.open(in, name, DIRECTORY, 0))));
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
      self.use(
          in -> {
            Libc.makeDirectory(in, name, NEW_DIRECTORY_MODE);
            return in;
          });
    }

    @Override
    public Temporary temporary(Optional<Name> like) throws IOException {
      return self.use(in -> createTemporary(in, like));
    }

    @Override
    public void rename(Name from, Name to) throws IOException {
      self.use(
          in -> {
            Libc.rename(in, from, to);
            return in;
          });
    }

    @Override
    public void unlink(Name name) throws IOException {
      self.use(
          in -> {
            Libc.unlink(in, name);
            return in;
          });
    }

    @Override
    public Entries entries() throws IOException {
      return new LinuxEntries(this, readable());
    }

    @Override
    public void sync() throws IOException {
      try (Descriptor readable = readable()) {
        readable.use(
            number -> {
              Libc.sync(number);
              return number;
            });
      }
    }

    /** A path descriptor can be walked with no right to read the directory, but not listed. */
    private Descriptor readable() throws IOException {
      return self.use(
          in -> new Descriptor(Libc.open(in, SELF, Libc.O_RDONLY | Libc.O_DIRECTORY, 0)));
    }

    @Override
    public void close() {
      self.close();
    }
  }

  private LinuxTemporary createTemporary(int directory, Optional<Name> like) throws IOException {
    Optional<Libc.Stat> old =
        like.isPresent() ? statOfFile(directory, like.get()) : Optional.empty();
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
        if (old.isPresent()) {
          adopt(file, old.get());
        }
        return new LinuxTemporary(name, file);
      } catch (IOException | RuntimeException e) {
        file.close();
        Libc.unlink(directory, name);
        throw e;
      }
    }
  }

  private static Optional<Libc.Stat> statOfFile(int directory, Name name) throws IOException {
    try {
      Libc.Stat stat = Libc.stat(directory, name);
      return stat.status().kind() == FileKind.FILE ? Optional.of(stat) : Optional.empty();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private static void adopt(Descriptor file, Libc.Stat old) throws IOException {
    file.use(
        number -> {
          Libc.Stat mine = Libc.stat(number);
          if (mine.uid() != old.uid() || mine.gid() != old.gid()) {
            try {
              Libc.owner(number, old.uid(), old.gid());
            } catch (Libc.Failed e) {
              // Only root gives files away; for others the file becomes that of who writes it.
              if (e.errno() != Libc.EPERM) {
                throw e;
              }
            }
          }
          Libc.mode(number, old.status().mode() & KEPT_MODE);
          return number;
        });
  }

  private record LinuxTemporary(Name name, Descriptor file) implements OpenDirectory.Temporary {
    @Override
    public void write(byte[] content) throws IOException {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment chunk = arena.allocate(Math.clamp(content.length, 1, CHUNK_BYTES));
        for (int at = 0; at < content.length; ) {
          int length = Math.min(content.length - at, CHUNK_BYTES);
          MemorySegment.copy(content, at, chunk, JAVA_BYTE, 0, length);
          at += file.use(number -> Libc.write(number, chunk.asSlice(0, length)));
        }
      }
    }

    @Override
    public void sync() throws IOException {
      file.use(
          number -> {
            Libc.sync(number);
            return number;
          });
    }

    @Override
    public void close() {
      file.close();
    }
  }

  private record LinuxFile(Descriptor file) implements FileHandle {
    @Override
    public FileStatus status() throws IOException {
      return file.use(Libc::stat).status();
    }

    @Override
    public int read(ByteBuffer buffer, long position) throws IOException {
      if (!buffer.hasRemaining()) {
        return 0;
      }
      int read = buffer.isDirect() ? readDirect(buffer, position) : readCopied(buffer, position);
      return read == 0 ? -1 : read;
    }

    private int readDirect(ByteBuffer buffer, long position) throws IOException {
      MemorySegment into = MemorySegment.ofBuffer(buffer);
      int read = file.use(number -> Libc.read(number, into, position));
      buffer.position(buffer.position() + read);
      return read;
    }

    private int readCopied(ByteBuffer buffer, long position) throws IOException {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment into = arena.allocate(Math.min(buffer.remaining(), CHUNK_BYTES));
        int read = file.use(number -> Libc.read(number, into, position));
        buffer.put(into.asSlice(0, read).asByteBuffer());
        return read;
      }
    }

    @Override
    public void close() {
      file.close();
    }
  }

  private static final class LinuxEntries implements OpenDirectory.Entries {
    private final LinuxDirectory directory;
    private final Descriptor listing;
    private final Deque<Directory.Entry> read = new ArrayDeque<>();
    private boolean ended;

    LinuxEntries(LinuxDirectory directory, Descriptor listing) {
      this.directory = directory;
      this.listing = listing;
    }

    @Override
    public boolean hasNext() {
      try {
        while (read.isEmpty() && !ended) {
          readSome();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return !read.isEmpty();
    }

    @Override
    public Directory.Entry next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return read.removeFirst();
    }

    private void readSome() throws IOException {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment memory = arena.allocate(ENTRIES_BYTES, Long.BYTES);
        int length = listing.use(number -> Libc.entries(number, memory));
        if (length == 0) {
          ended = true;
          listing.close();
          return;
        }
        ByteBuffer entries =
            ByteBuffer.wrap(memory.asSlice(0, length).toArray(JAVA_BYTE))
                .order(ByteOrder.nativeOrder());
        for (int at = 0; at < length; ) {
          // An entry: inode (8 bytes), offset (8), its length (2), type (1), name, NUL.
          int end = at + Short.toUnsignedInt(entries.getShort(at + 16));
          add(entries.array(), at + 19, entries.get(at + 18));
          at = end;
        }
      }
    }

    private void add(byte[] entries, int start, int type) throws IOException {
      int end = start;
      while (entries[end] != 0) {
        end++;
      }
      Name name = Name.of(Arrays.copyOfRange(entries, start, end));
      if (name.isDot() || name.isDotDot()) {
        return;
      }
      try {
        // Type 0: a file system that does not say it here.
        FileKind kind = type == 0 ? directory.status(name).kind() : Libc.kindOfType(type);
        read.add(new Directory.Entry(name.toString(), kind));
      } catch (NoSuchFileException e) {
        // Gone since the listing was made, so it is no entry any more.
        return;
      }
    }

    @Override
    public void close() {
      ended = true;
      read.clear();
      listing.close();
    }
  }
}
