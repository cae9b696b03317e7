package harness.workspace.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A process as the system shows it.
 *
 * @param zombie whether it has ended and waits for its parent to notice
 * @param start when it began, in ticks since the system did; with {@code pid} it is unique
 * @param residentBytes what it has in memory, with all that it shares with others
 */
record ProcessEntry(
    int pid, int parent, int group, int session, boolean zombie, long start, long residentBytes) {
  private static final Path TABLE = Path.of("/proc");

  /** All processes that this one can see, by number. */
  static Map<Integer, ProcessEntry> all() throws IOException {
    Map<Integer, ProcessEntry> all = new HashMap<>();
    try (ProcessNumbers numbers = new ProcessNumbers()) {
      for (int number : numbers.next()) {
        numbers.entry(number).ifPresent(process -> all.put(number, process));
      }
    }
    return all;
  }

  /** One process; empty where it is gone. */
  static Optional<ProcessEntry> of(int pid) {
    return read(TABLE.resolve(Integer.toString(pid)));
  }

  private static Optional<ProcessEntry> read(Path entry) {
    String stat;
    try {
      stat = new String(Files.readAllBytes(entry.resolve("stat")), StandardCharsets.ISO_8859_1);
    } catch (IOException gone) {
      return Optional.empty();
    }
    return parsed(Integer.parseInt(entry.getFileName().toString()), stat);
  }

  /**
   * @param stat what the system says of it
   */
  static Optional<ProcessEntry> parsed(int pid, String stat) {
    // The name in brackets may hold anything; behind it come state, parent, group, session, ...
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return Optional.of(
        new ProcessEntry(
            pid,
            Integer.parseInt(fields[1]),
            Integer.parseInt(fields[2]),
            Integer.parseInt(fields[3]),
            fields[0].equals("Z") || fields[0].equals("X"),
            Long.parseLong(fields[19]),
            Long.parseLong(fields[21]) * ProcessCalls.PAGE_BYTES));
  }

  /**
   * What it has in memory of its own, its share of what it has together with others among it, and
   * without what is only a copy of a file; 0 where it is gone.
   */
  long ownBytes() {
    // Where the exact words can't be read, as of another user's, what it shares counts in full.
    return sum("smaps_rollup", "Pss_Anon:", "Pss_Shmem:")
        .or(() -> sum("status", "RssAnon:", "RssShmem:"))
        .orElse(0L);
  }

  private Optional<Long> sum(String file, String... names) {
    try {
      long kibibytes = 0;
      int found = 0;
      String text = Files.readString(directory().resolve(file), StandardCharsets.ISO_8859_1);
      for (String line : text.split("\n", -1)) {
        for (String name : names) {
          if (line.startsWith(name)) {
            kibibytes += Long.parseLong(line.replaceAll("[^0-9]", ""));
            found++;
          }
        }
      }
      return found == names.length ? Optional.of(kibibytes * 1024) : Optional.empty();
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }

  /** Whether its environment, as it was when its program began, holds these words. */
  boolean wasGiven(String words) {
    try {
      byte[] environment = Files.readAllBytes(directory().resolve("environ"));
      return new String(environment, StandardCharsets.ISO_8859_1).contains(words);
    } catch (IOException unreadable) {
      // It is gone, or another user's.
      return false;
    }
  }

  /** Whether it has this open, named as the system names what a descriptor leads to. */
  boolean holds(String open) {
    try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(directory().resolve("fd"))) {
      for (Path descriptor : descriptors) {
        if (leadsTo(descriptor, open)) {
          return true;
        }
      }
      return false;
    } catch (IOException | DirectoryIteratorException unreadable) {
      return false;
    }
  }

  private static boolean leadsTo(Path descriptor, String open) {
    try {
      return Files.readSymbolicLink(descriptor).toString().equals(open);
    } catch (IOException closed) {
      return false;
    }
  }

  private Path directory() {
    return TABLE.resolve(Integer.toString(pid));
  }
}
