package harness.workspace.command;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import harness.workspace.Libc;
import harness.workspace.LibcFunction;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The numbers of the processes that come up while it is open, each told once and within a fraction
 * of a millisecond: a process may be gone by the time at which a whole table of them was read.
 */
final class ProcessNumbers implements AutoCloseable {
  private static final int O_CLOEXEC = 0x80000;
  private static final int LIST_BYTES = 64 * 1024;

  // Of an entry: its length and its name.
  private static final int LENGTH_AT = 16;
  private static final int NAME_AT = 19;

  private static final LibcFunction OPEN = Libc.handle("open");
  private static final LibcFunction LSEEK = Libc.handle("lseek");
  private static final LibcFunction GETDENTS = Libc.handle("getdents64");

  private static final LibcFunction READ = Libc.handle("read");
  private static final int PATH_BYTES = 32;
  private static final int STAT_BYTES = 1024;

  private final Arena arena = Arena.ofConfined();
  private final MemorySegment list = arena.allocate(LIST_BYTES, Long.BYTES);
  private final MemorySegment path = arena.allocate(PATH_BYTES);
  private final MemorySegment stat = arena.allocate(STAT_BYTES);
  private final int table;
  private Set<Integer> known = new HashSet<>();

  ProcessNumbers() throws IOException {
    MemorySegment all = arena.allocateFrom("/proc");
    this.table =
        (int) Libc.call("/proc", state -> (int) OPEN.call(state, all.address(), O_CLOEXEC));
  }

  /** Those that were not there at the last look; at the first one all. */
  List<Integer> next() throws IOException {
    Set<Integer> now = new HashSet<>();
    List<Integer> found = new ArrayList<>();
    Libc.call("/proc", state -> LSEEK.call(state, table, 0L, 0));
    while (true) {
      int bytes =
          (int)
              Libc.call("/proc", state -> GETDENTS.call(state, table, list.address(), LIST_BYTES));
      if (bytes == 0) {
        known = now;
        return found;
      }
      for (int at = 0; at < bytes; at += list.get(JAVA_SHORT_UNALIGNED, at + (long) LENGTH_AT)) {
        int number = number(at + NAME_AT);
        if (number > 0) {
          now.add(number);
          if (!known.contains(number)) {
            found.add(number);
          }
        }
      }
    }
  }

  /** A process, read with as little in between as there can be; empty where it is gone. */
  Optional<ProcessEntry> entry(int number) throws IOException {
    path.setString(0, "/proc/" + number + "/stat", StandardCharsets.US_ASCII);
    // One that is gone is no failure, which would take longer than those that come up live.
    int file =
        (int)
                Libc.call(
                    "process",
                    state -> Math.max(0, 1 + (int) OPEN.call(state, path.address(), O_CLOEXEC)))
            - 1;
    if (file < 0) {
      return Optional.empty();
    }
    int read =
        (int)
            Libc.call(
                "process",
                state -> Math.max(0L, READ.call(state, file, stat.address(), stat.byteSize())));
    Libc.close(file);
    return read == 0
        ? Optional.empty()
        : ProcessEntry.parsed(
            number,
            new String(stat.asSlice(0, read).toArray(JAVA_BYTE), StandardCharsets.ISO_8859_1));
  }

  /** The number that a name is; 0 where it is none. */
  private int number(long at) {
    int number = 0;
    for (long i = at; list.get(JAVA_BYTE, i) != 0; i++) {
      int digit = list.get(JAVA_BYTE, i) - '0';
      if (digit < 0 || digit > 9) {
        return 0;
      }
      number = number * 10 + digit;
    }
    return number;
  }

  @Override
  public void close() {
    Libc.close(table);
    arena.close();
  }
}
