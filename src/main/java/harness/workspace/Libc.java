package harness.workspace;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The calls of the Linux C library that {@link LinuxHandles} is made of, with their numbers, and
 * the way to make others. A call that a signal cut short is made again; another failure is an
 * exception that says why.
 */
public final class Libc {
  static final int O_RDONLY = 0;
  static final int O_WRONLY = 1;
  static final int O_CREAT = 0x40;
  static final int O_EXCL = 0x80;
  static final int O_NOCTTY = 0x100;
  static final int O_APPEND = 0x400;
  static final int O_NONBLOCK = 0x800;
  static final int O_CLOEXEC = 0x80000;
  static final int O_PATH = 0x200000;

  private static final boolean ARM = System.getProperty("os.arch", "").equals("aarch64");

  // The two flags that are not the same everywhere.
  static final int O_DIRECTORY = ARM ? 0x4000 : 0x10000;
  static final int O_NOFOLLOW = ARM ? 0x8000 : 0x20000;

  private static final int LOCK_EX = 2;
  private static final int LOCK_NB = 4;

  static final int EPERM = 1;
  static final int ENXIO = 6;
  static final int EAGAIN = 11;
  static final int EXDEV = 18;
  static final int EINVAL = 22;
  static final int ELOOP = 40;

  static final int ENOENT = 2;
  static final int EINTR = 4;

  /** In the place of a directory: none is needed, the path is absolute. */
  static final int AT_FDCWD = -100;

  static final int AT_SYMLINK_NOFOLLOW = 0x100;
  private static final int AT_REMOVEDIR = 0x200;
  private static final int AT_EMPTY_PATH = 0x1000;
  private static final int RENAME_NOREPLACE = 1;
  static final int STATX_BASIC_STATS = 0x7ff;
  static final int STATX_BYTES = 256;
  private static final int PATH_BYTES = 4096;
  private static final Name SELF = Name.of("");

  static final StructLayout STATE = Linker.Option.captureStateLayout();
  static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  static final LibcFunction OPENAT = handle("openat");
  private static final LibcFunction CLOSE = handle("close");
  static final LibcFunction STATX = handle("statx");
  private static final LibcFunction READLINKAT = handle("readlinkat");
  private static final LibcFunction MKDIRAT = handle("mkdirat");
  private static final LibcFunction RENAMEAT = handle("renameat");
  private static final LibcFunction RENAMEAT2 = handle("renameat2");
  private static final LibcFunction UNLINKAT = handle("unlinkat");
  private static final LibcFunction SYMLINKAT = handle("symlinkat");
  private static final LibcFunction GETDENTS = handle("getdents64");
  private static final LibcFunction PREAD = handle("pread");
  private static final LibcFunction WRITE = handle("write");
  private static final LibcFunction FSYNC = handle("fsync");
  private static final LibcFunction FLOCK = handle("flock");
  private static final LibcFunction FCHMOD = handle("fchmod");
  private static final LibcFunction FCHOWN = handle("fchown");

  private Libc() {}

  /**
   * A function of the library.
   *
   * @throws UnsupportedOperationException where the library has none of this name
   */
  public static LibcFunction handle(String name) {
    return new LibcFunction(
        Linker.nativeLinker()
            .defaultLookup()
            .find(name)
            .orElseThrow(
                () ->
                    new UnsupportedOperationException(
                        "the C library has no " + name + "; glibc 2.34 or newer is needed")));
  }

  /** What {@code statx} says, with what {@link FileStatus} has no place for. */
  record Stat(FileStatus status, int uid, int gid) {}

  /** A failed call. */
  public static final class Failed extends FileSystemException {
    private static final long serialVersionUID = 1L;

    private final int errno;

    Failed(int errno, Object subject) {
      super(subject.toString(), null, reason(errno));
      this.errno = errno;
    }

    public int errno() {
      return errno;
    }
  }

  /** One call; a negative number says that it failed. */
  public interface Plain {
    long run(MemorySegment state) throws Throwable;
  }

  private interface Call {
    long run(CallMemory memory, MemorySegment state) throws Throwable;
  }

  static int open(int directory, Name name, int flags, int mode) throws IOException {
    return (int)
        call(
            name,
            (memory, state) ->
                (int)
                    OPENAT.call(
                        state, directory, memory.name(name).address(), flags | O_CLOEXEC, mode));
  }

  /** Lets a descriptor go. */
  public static void close(int descriptor) {
    // Linux has let go of the descriptor whatever this answers; a second try could close another.
    try (CallMemory memory = CallMemory.ofThread()) {
      long ignored = attempt(memory, (same, state) -> (int) CLOSE.call(state, descriptor), false);
    }
  }

  static Stat stat(int descriptor) throws IOException {
    return stat(descriptor, SELF, AT_EMPTY_PATH)
        .orElseThrow(() -> new NoSuchFileException("open file"));
  }

  /** What an entry is itself; empty where there is none, which is asked far too often to throw. */
  static Optional<Stat> stat(int directory, Name name) throws IOException {
    return stat(directory, name, AT_SYMLINK_NOFOLLOW);
  }

  private static Optional<Stat> stat(int directory, Name name, int flags) throws IOException {
    try (CallMemory memory = CallMemory.ofThread()) {
      MemorySegment answer = memory.answer();
      long result =
          attempt(
              memory,
              (same, state) ->
                  (int)
                      STATX.call(
                          state,
                          directory,
                          same.name(name).address(),
                          flags,
                          STATX_BASIC_STATS,
                          answer.address()),
              true);
      if (result == -ENOENT) {
        return Optional.empty();
      }
      checked(name, result);
      int mode = Short.toUnsignedInt(answer.get(ValueLayout.JAVA_SHORT, 28));
      long device =
          Integer.toUnsignedLong(answer.get(JAVA_INT, 136)) << 32
              | Integer.toUnsignedLong(answer.get(JAVA_INT, 140));
      FileStatus status =
          new FileStatus(
              kindOfType(mode >> 12),
              answer.get(JAVA_LONG, 40),
              mode & 07777,
              nanos(answer.get(JAVA_LONG, 112), answer.get(JAVA_INT, 120)),
              device,
              answer.get(JAVA_LONG, 32));
      return Optional.of(new Stat(status, answer.get(JAVA_INT, 20), answer.get(JAVA_INT, 24)));
    }
  }

  /** Some file systems take any time at all, so this one ends where a long does. */
  private static long nanos(long seconds, int nanosOfSecond) {
    long nanos = TimeUnit.SECONDS.toNanos(seconds);
    return nanos == Long.MAX_VALUE || nanos == Long.MIN_VALUE
        ? nanos
        : Math.max(nanos, nanos + nanosOfSecond);
  }

  /** The kind by the four bits that a mode and a directory entry have in common. */
  static FileKind kindOfType(int type) {
    return switch (type) {
      case 1 -> FileKind.FIFO;
      case 2, 6 -> FileKind.DEVICE;
      case 4 -> FileKind.DIRECTORY;
      case 8 -> FileKind.FILE;
      case 10 -> FileKind.LINK;
      case 12 -> FileKind.SOCKET;
      default -> FileKind.OTHER;
    };
  }

  static byte[] readLink(int directory, Name name) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment target = arena.allocate(PATH_BYTES);
      long length =
          call(
              name,
              (memory, state) ->
                  READLINKAT.call(
                      state, directory, memory.name(name).address(), target.address(), PATH_BYTES));
      return target.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
    }
  }

  static void makeDirectory(int directory, Name name, int mode) throws IOException {
    call(
        name,
        (memory, state) -> (int) MKDIRAT.call(state, directory, memory.name(name).address(), mode));
  }

  /** Over what has the name. */
  static void rename(int directory, Name from, int toDirectory, Name to) throws IOException {
    call(
        to,
        (memory, state) ->
            (int)
                RENAMEAT.call(
                    state,
                    directory,
                    memory.name(from).address(),
                    toDirectory,
                    memory.secondName(to).address()));
  }

  /** Where nothing has the name. */
  static void move(int directory, Name from, int toDirectory, Name to) throws IOException {
    call(
        to,
        (memory, state) ->
            (int)
                RENAMEAT2.call(
                    state,
                    directory,
                    memory.name(from).address(),
                    toDirectory,
                    memory.secondName(to).address(),
                    RENAME_NOREPLACE));
  }

  static void unlink(int directory, Name name) throws IOException {
    call(
        name,
        (memory, state) -> (int) UNLINKAT.call(state, directory, memory.name(name).address(), 0));
  }

  /** Removes an empty directory. */
  static void removeDirectory(int directory, Name name) throws IOException {
    call(
        name,
        (memory, state) ->
            (int) UNLINKAT.call(state, directory, memory.name(name).address(), AT_REMOVEDIR));
  }

  static void link(int directory, Name name, byte[] target) throws IOException {
    call(
        name,
        (memory, state) ->
            (int)
                SYMLINKAT.call(
                    state,
                    memory.secondName(Name.of(target)).address(),
                    directory,
                    memory.name(name).address()));
  }

  /** Reads entries as the system lays them out; how many bytes, 0 at the end. */
  static int entries(int descriptor, MemorySegment into) throws IOException {
    return (int)
        call(
            "directory",
            (memory, state) -> GETDENTS.call(state, descriptor, into.address(), into.byteSize()));
  }

  /** Reads at a position; how many bytes, 0 at the end. */
  static int read(int descriptor, MemorySegment into, long position) throws IOException {
    return (int)
        call(
            "file",
            (memory, state) ->
                PREAD.call(state, descriptor, into.address(), into.byteSize(), position));
  }

  static int write(int descriptor, MemorySegment from) throws IOException {
    return (int)
        call(
            "file",
            (memory, state) -> WRITE.call(state, descriptor, from.address(), from.byteSize()));
  }

  static void sync(int descriptor) throws IOException {
    call("file", (memory, state) -> (int) FSYNC.call(state, descriptor));
  }

  /** Locks an open file or directory for this handle of it; false where another has it locked. */
  static boolean lock(int descriptor) throws IOException {
    long answer = attempt((arena, state) -> (int) FLOCK.call(state, descriptor, LOCK_EX | LOCK_NB));
    return answer != -EAGAIN && checked("file", answer) == 0;
  }

  static void mode(int descriptor, int mode) throws IOException {
    call("file", (memory, state) -> (int) FCHMOD.call(state, descriptor, mode));
  }

  static void owner(int descriptor, int uid, int gid) throws IOException {
    call("file", (memory, state) -> (int) FCHOWN.call(state, descriptor, uid, gid));
  }

  /**
   * Makes a call.
   *
   * @param subject what it is about, for the message of its failure
   * @return what it answers, at least 0
   */
  public static long call(Object subject, Plain call) throws IOException {
    return call(subject, (memory, state) -> call.run(state));
  }

  private static long call(Object subject, Call call) throws IOException {
    return checked(subject, attempt(call));
  }

  private static long checked(Object subject, long result) throws IOException {
    if (result < 0) {
      throw failure((int) -result, subject);
    }
    return result;
  }

  /** What a call answers, or the negative number of its error. */
  private static long attempt(Call call) {
    try (CallMemory memory = CallMemory.ofThread()) {
      return attempt(memory, call, true);
    }
  }

  private static long attempt(CallMemory memory, Call call, boolean again) {
    try {
      while (true) {
        long result = call.run(memory, memory.state());
        if (result >= 0) {
          return result;
        }
        int errno = (int) ERRNO.get(memory.state(), 0L);
        if (errno != EINTR || !again) {
          return -errno;
        }
      }
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static RuntimeException unexpected(Throwable e) {
    return switch (e) {
      case RuntimeException mine -> mine;
      case Error error -> throw error;
      default -> new IllegalStateException("a call of the C library threw", e);
    };
  }

  /** The failure that an error number says. */
  public static IOException failure(int errno, Object subject) {
    String name = subject.toString();
    return switch (errno) {
      case ENOENT -> new NoSuchFileException(name);
      case 13 -> new AccessDeniedException(name, null, reason(errno));
      case 17 -> new FileAlreadyExistsException(name);
      case 20 -> new NotDirectoryException(name);
      default -> new Failed(errno, subject);
    };
  }

  private static String reason(int errno) {
    return switch (errno) {
      case EPERM -> "operation not permitted";
      case 5 -> "input/output error";
      case ENXIO -> "no such device";
      case EAGAIN -> "another process holds a lease on it";
      case 12 -> "no memory left";
      case 13 -> "permission denied";
      case 16 -> "device or resource busy";
      case EXDEV -> "on another file system";
      case 21 -> "is a directory";
      case EINVAL -> "invalid argument";
      case 23 -> "too many open files in the system";
      case 24 -> "too many open files in this process";
      case 27 -> "file too large";
      case 28 -> "no space left on the device";
      case 30 -> "the file system is read-only";
      case 31 -> "too many links";
      case 36 -> "name too long";
      case 39 -> "directory not empty";
      case ELOOP -> "too many links on the way";
      case 116 -> "stale file handle";
      case 122 -> "disk quota exceeded";
      default -> "error " + errno + " of the system";
    };
  }
}
