package harness.workspace.command;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import harness.workspace.Libc;
import harness.workspace.LibcFunction;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Optional;

/** The calls of Linux by which processes are watched and ended, with their numbers. */
final class ProcessCalls {
  static final int SIGKILL = 9;

  private static final int O_CLOEXEC = 0x80000;
  private static final int EPERM = 1;
  private static final int ESRCH = 3;
  private static final int ECHILD = 10;
  private static final short POLLIN = 1;
  private static final int POLLFD_BYTES = 8;

  private static final int P_PID = 1;
  private static final int WNOHANG = 1;
  private static final int WEXITED = 4;
  private static final int WNOWAIT = 0x01000000;
  private static final int SIGINFO_BYTES = 128;
  private static final int CLD_EXITED = 1;

  private static final int PR_SET_DUMPABLE = 4;
  private static final int PR_SET_CHILD_SUBREAPER = 36;
  private static final int PR_SET_NO_NEW_PRIVS = 38;

  /** The same number on every machine. */
  private static final long SYS_PIDFD_OPEN = 434;

  private static final LibcFunction PIPE2 = Libc.handle("pipe2");
  private static final LibcFunction READ = Libc.handle("read");
  private static final LibcFunction POLL = Libc.handle("poll");
  private static final LibcFunction KILL = Libc.handle("kill");
  private static final LibcFunction WAITID = Libc.handle("waitid");
  private static final LibcFunction PRCTL = Libc.handle("prctl");
  private static final LibcFunction SYSCALL = Libc.handle("syscall");

  private static final int SC_PAGESIZE = 30;
  private static final LibcFunction SYSCONF = Libc.handle("sysconf");

  /** In what the system counts memory. */
  static final long PAGE_BYTES = pageBytes();

  private ProcessCalls() {}

  private static long pageBytes() {
    try {
      return Libc.call("sysconf", state -> SYSCONF.call(state, SC_PAGESIZE));
    } catch (IOException e) {
      throw new IllegalStateException("every system has pages", e);
    }
  }

  /** The two ends of a pipe, neither of which a started program inherits by itself. */
  record Pipe(int read, int write) {}

  static Pipe pipe() throws IOException {
    try (Arena memory = Arena.ofConfined()) {
      MemorySegment ends = memory.allocate(JAVA_INT, 2);
      Libc.call("pipe", state -> (int) PIPE2.call(state, ends.address(), O_CLOEXEC));
      return new Pipe(ends.getAtIndex(JAVA_INT, 0), ends.getAtIndex(JAVA_INT, 1));
    }
  }

  /** Reads what is there, waiting for at least a byte; 0 at the end. */
  static int read(int descriptor, MemorySegment into) throws IOException {
    return (int)
        Libc.call("pipe", state -> READ.call(state, descriptor, into.address(), into.byteSize()));
  }

  /**
   * Waits until the first descriptor can be read or has ended, or the second one can, which may be
   * -1 for none.
   *
   * @return whether it is the first
   */
  static boolean awaitEither(int first, int second, Duration atMost) throws IOException {
    try (Arena memory = Arena.ofConfined()) {
      MemorySegment both = memory.allocate(2L * POLLFD_BYTES, Integer.BYTES);
      both.set(JAVA_INT, 0, first);
      both.set(JAVA_SHORT, 4, POLLIN);
      both.set(JAVA_INT, POLLFD_BYTES, second);
      both.set(JAVA_SHORT, POLLFD_BYTES + 4L, POLLIN);
      int millis = (int) atMost.toMillis();
      Libc.call("poll", state -> (int) POLL.call(state, both.address(), 2L, millis));
      return both.get(JAVA_SHORT, 6) != 0;
    }
  }

  /**
   * Signals a process, or with a negative number a process group; one that is gone or became
   * another user's is not reached.
   */
  static void kill(int target, int signal) throws IOException {
    try {
      Libc.call("process " + target, state -> (int) KILL.call(state, target, signal));
    } catch (Libc.Failed e) {
      if (e.errno() != ESRCH && e.errno() != EPERM) {
        throw e;
      }
    }
  }

  /** A descriptor that can be read when the process has ended; -1 where the kernel has none. */
  static int watch(int pid) {
    try {
      return (int)
          Libc.call("process " + pid, state -> SYSCALL.call(state, SYS_PIDFD_OPEN, pid, 0));
    } catch (IOException e) {
      // An old kernel, or a container's filter of calls; whoever waits then asks now and then.
      return -1;
    }
  }

  /** How a process of this one ended, by its exit code or by a signal. */
  record Ended(boolean exited, int number) {}

  /**
   * How a child ended; empty while it runs.
   *
   * @param keep whether its number stays taken until it is asked for again
   */
  static Optional<Ended> ended(int pid, boolean keep) throws IOException {
    try (Arena memory = Arena.ofConfined()) {
      MemorySegment info = memory.allocate(SIGINFO_BYTES, Long.BYTES);
      int options = WEXITED | WNOHANG | (keep ? WNOWAIT : 0);
      Libc.call(
          "process " + pid, state -> (int) WAITID.call(state, P_PID, pid, info.address(), options));
      // siginfo of a child: code (at 8), pid (16), status (24).
      return info.get(JAVA_INT, 16) == 0
          ? Optional.empty()
          : Optional.of(new Ended(info.get(JAVA_INT, 8) == CLD_EXITED, info.get(JAVA_INT, 24)));
    }
  }

  /** Takes note of a child that has ended, so that it is gone; nothing where it is gone already. */
  static void reap(int pid) throws IOException {
    try {
      ended(pid, false);
    } catch (Libc.Failed e) {
      if (e.errno() != ECHILD) {
        throw e;
      }
    }
  }

  /** From now on what the descendants of this process leave behind becomes its own child. */
  static void adoptOrphans() throws IOException {
    control(PR_SET_CHILD_SUBREAPER, 1);
  }

  /** What this thread starts from now on gains no rights by being set-user. */
  static void gainNoRights() throws IOException {
    control(PR_SET_NO_NEW_PRIVS, 1);
  }

  /** Other processes of the same user can no longer look into this one. */
  static void hide() throws IOException {
    control(PR_SET_DUMPABLE, 0);
  }

  private static void control(int what, long value) throws IOException {
    Libc.call("prctl", state -> (int) PRCTL.call(state, what, value, 0, 0, 0));
  }
}
