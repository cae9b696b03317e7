package harness.workspace;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The calls of the Linux C library that {@link LinuxHandles} is made of, with their numbers. A call
 * that a signal cut short is made again; another failure is an exception that says why.
 */
final class Libc {
  static final int O_RDONLY = 0;
  static final int O_WRONLY = 1;
  static final int O_CREAT = 0x40;
  static final int O_EXCL = 0x80;
  static final int O_NOCTTY = 0x100;
  static final int O_NONBLOCK = 0x800;
  static final int O_CLOEXEC = 0x80000;
  static final int O_PATH = 0x200000;

  private static final boolean ARM = System.getProperty("os.arch", "").equals("aarch64");

  // The two flags that are not the same everywhere.
  static final int O_DIRECTORY = ARM ? 0x4000 : 0x10000;
  static final int O_NOFOLLOW = ARM ? 0x8000 : 0x20000;

  static final int EPERM = 1;
  static final int ENXIO = 6;
  static final int EXDEV = 18;
  static final int EINVAL = 22;
  static final int ELOOP = 40;
  static final int EWOULDBLOCK = 11;

  private static final int ENOENT = 2;
  private static final int EINTR = 4;

  /** In the place of a directory: none is needed, the path is absolute. */
  static final int AT_FDCWD = -100;

  private static final int AT_SYMLINK_NOFOLLOW = 0x100;
  private static final int AT_REMOVEDIR = 0x200;
  private static final int AT_EMPTY_PATH = 0x1000;
  private static final int RENAME_NOREPLACE = 1;
  private static final int LOCK_EX = 2;
  private static final int LOCK_NB = 4;
  private static final int STATX_BASIC_STATS = 0x7ff;
  private static final int STATX_BYTES = 256;
  private static final int PATH_BYTES = 4096;
  private static final Name SELF = Name.of("");

  private static final Linker LINKER = Linker.nativeLinker();
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private static final MethodHandle OPENAT =
      handle(
          "openat",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT),
          Linker.Option.firstVariadicArg(3));
  private static final MethodHandle CLOSE =
      handle("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private static final MethodHandle STATX =
      handle(
          "statx", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS));
  private static final MethodHandle READLINKAT =
      handle("readlinkat", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG));
  private static final MethodHandle MKDIRAT =
      handle("mkdirat", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle RENAMEAT =
      handle("renameat", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS));
  private static final MethodHandle RENAMEAT2 =
      handle(
          "renameat2",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle UNLINKAT =
      handle("unlinkat", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle GETDENTS =
      handle("getdents64", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
  private static final MethodHandle PREAD =
      handle("pread", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle WRITE =
      handle("write", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
  private static final MethodHandle FSYNC =
      handle("fsync", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private static final MethodHandle FLOCK =
      handle("flock", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
  private static final MethodHandle FCHMOD =
      handle("fchmod", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
  private static final MethodHandle FCHOWN =
      handle("fchown", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));

  private Libc() {}

  private static MethodHandle handle(
      String name, FunctionDescriptor shape, Linker.Option... options) {
    Linker.Option[] all = new Linker.Option[options.length + 1];
    System.arraycopy(options, 0, all, 1, options.length);
    all[0] = Linker.Option.captureCallState("errno");
    MemorySegment symbol =
        LINKER
            .defaultLookup()
            .find(name)
            .orElseThrow(
                () ->
                    new UnsupportedOperationException(
                        "the C library has no " + name + "; glibc 2.30 or newer is needed"));
    return LINKER.downcallHandle(symbol, shape, all);
  }

  /** What {@code statx} says, with what {@link FileStatus} has no place for. */
  record Stat(FileStatus status, int uid, int gid) {}

  /** A failed call. */
  static final class Failed extends FileSystemException {
    private static final long serialVersionUID = 1L;

    private final int errno;

    Failed(int errno, Object subject) {
      super(subject.toString(), null, reason(errno));
      this.errno = errno;
    }

    int errno() {
      return errno;
    }
  }

  private interface Call {
    long run(Arena arena, MemorySegment state) throws Throwable;
  }

  static int open(int directory, Name name, int flags, int mode) throws IOException {
    return (int)
        call(
            name,
            (arena, state) ->
                (int)
                    OPENAT.invokeExact(
                        state, directory, text(arena, name), flags | O_CLOEXEC, mode));
  }

  static void close(int descriptor) {
    try (Arena arena = Arena.ofConfined()) {
      // Linux has let go of the descriptor whatever this answers; a second try could close another.
      int ignored = (int) CLOSE.invokeExact(arena.allocate(STATE), descriptor);
    } catch (Throwable e) {
      throw unexpected(e);
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
    try (Arena memory = Arena.ofConfined()) {
      MemorySegment answer = memory.allocate(STATX_BYTES, Long.BYTES);
      long result =
          attempt(
              (arena, state) ->
                  (int)
                      STATX.invokeExact(
                          state, directory, text(arena, name), flags, STATX_BASIC_STATS, answer));
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
    try (Arena memory = Arena.ofConfined()) {
      MemorySegment target = memory.allocate(PATH_BYTES);
      long length =
          call(
              name,
              (arena, state) ->
                  (long)
                      READLINKAT.invokeExact(
                          state, directory, text(arena, name), target, (long) PATH_BYTES));
      return target.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
    }
  }

  static void makeDirectory(int directory, Name name, int mode) throws IOException {
    call(
        name,
        (arena, state) -> (int) MKDIRAT.invokeExact(state, directory, text(arena, name), mode));
  }

  /** Over what has the name. */
  static void rename(int directory, Name from, int toDirectory, Name to) throws IOException {
    call(
        to,
        (arena, state) ->
            (int)
                RENAMEAT.invokeExact(
                    state, directory, text(arena, from), toDirectory, text(arena, to)));
  }

  /** Where nothing has the name. */
  static void move(int directory, Name from, int toDirectory, Name to) throws IOException {
    call(
        to,
        (arena, state) ->
            (int)
                RENAMEAT2.invokeExact(
                    state,
                    directory,
                    text(arena, from),
                    toDirectory,
                    text(arena, to),
                    RENAME_NOREPLACE));
  }

  static void unlink(int directory, Name name) throws IOException {
    call(
        name, (arena, state) -> (int) UNLINKAT.invokeExact(state, directory, text(arena, name), 0));
  }

  /** Removes an empty directory. */
  static void removeDirectory(int directory, Name name) throws IOException {
    call(
        name,
        (arena, state) ->
            (int) UNLINKAT.invokeExact(state, directory, text(arena, name), AT_REMOVEDIR));
  }

  /** Reads entries as the system lays them out; how many bytes, 0 at the end. */
  static int entries(int descriptor, MemorySegment into) throws IOException {
    return (int)
        call(
            "directory",
            (arena, state) ->
                (long) GETDENTS.invokeExact(state, descriptor, into, into.byteSize()));
  }

  /** Reads at a position; how many bytes, 0 at the end. */
  static int read(int descriptor, MemorySegment into, long position) throws IOException {
    return (int)
        call(
            "file",
            (arena, state) ->
                (long) PREAD.invokeExact(state, descriptor, into, into.byteSize(), position));
  }

  static int write(int descriptor, MemorySegment from) throws IOException {
    return (int)
        call(
            "file",
            (arena, state) -> (long) WRITE.invokeExact(state, descriptor, from, from.byteSize()));
  }

  static void sync(int descriptor) throws IOException {
    call("file", (arena, state) -> (int) FSYNC.invokeExact(state, descriptor));
  }

  /**
   * Locks a file for who opened it, until that is closed, also by the end of the process.
   *
   * @return 0, or the number of the error: {@link #EWOULDBLOCK} where another has it
   */
  static int lock(int descriptor) {
    return (int)
        -attempt(
            (arena, state) -> (int) FLOCK.invokeExact(state, descriptor, LOCK_EX | LOCK_NB));
  }

  static void mode(int descriptor, int mode) throws IOException {
    call("file", (arena, state) -> (int) FCHMOD.invokeExact(state, descriptor, mode));
  }

  static void owner(int descriptor, int uid, int gid) throws IOException {
    call("file", (arena, state) -> (int) FCHOWN.invokeExact(state, descriptor, uid, gid));
  }

  private static MemorySegment text(Arena arena, Name name) {
    byte[] bytes = name.bytes();
    MemorySegment text = arena.allocate(bytes.length + 1L);
    MemorySegment.copy(bytes, 0, text, ValueLayout.JAVA_BYTE, 0, bytes.length);
    return text;
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
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      while (true) {
        long result = call.run(arena, state);
        if (result >= 0) {
          return result;
        }
        int errno = (int) ERRNO.get(state, 0L);
        if (errno != EINTR) {
          return -errno;
        }
      }
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private static RuntimeException unexpected(Throwable e) {
    return switch (e) {
      case RuntimeException mine -> mine;
      case Error error -> throw error;
      default -> new IllegalStateException("a call of the C library threw", e);
    };
  }

  private static IOException failure(int errno, Object subject) {
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
      case EWOULDBLOCK -> "another process holds a lease on it";
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
