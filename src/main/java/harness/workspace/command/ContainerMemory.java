package harness.workspace.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How much memory the container of this process has that the system can't take back: what no file
 * stands behind, and what is shared or lies in a file system in memory. A container ends whole at
 * its limit, so that commands have to end before.
 *
 * @param cgroup where the system shows the group of this process
 */
public record ContainerMemory(Path cgroup) {
  /** Where Linux shows it in a container. */
  public static final Path USUAL = Path.of("/sys/fs/cgroup");

  /** The older kind says a number like this where there is no limit. */
  private static final long NO_LIMIT = Long.MAX_VALUE / 2;

  /** What may be filled between two looks stays free: a part of the limit, within these bounds. */
  private static final int FREE_PART = 16;

  private static final long LEAST_FREE_BYTES = 4L * 1024 * 1024;
  private static final long MOST_FREE_BYTES = 128L * 1024 * 1024;

  /**
   * What it has.
   *
   * @param bytes what can't be taken back
   * @param limitBytes where the system ends it
   */
  public record Usage(long bytes, long limitBytes) {
    /** Whether the next look may come too late. */
    boolean full() {
      long free = Math.clamp(limitBytes / FREE_PART, LEAST_FREE_BYTES, MOST_FREE_BYTES);
      return bytes > limitBytes - free;
    }
  }

  /** What it has now; empty where it has no limit, or the system does not show it. */
  public Optional<Usage> look() throws IOException {
    Optional<Usage> usage = look(cgroup, "memory.max", "anon", "shmem");
    return usage.isPresent()
        ? usage
        : look(cgroup.resolve("memory"), "memory.limit_in_bytes", "total_rss", "total_shmem");
  }

  private static Optional<Usage> look(Path group, String limit, String own, String shared)
      throws IOException {
    try {
      String most = Files.readString(group.resolve(limit), StandardCharsets.US_ASCII).strip();
      if (!most.matches("[0-9]{1,19}") || most.length() == 19 && most.startsWith("9")) {
        return Optional.empty();
      }
      long limitBytes = Long.parseLong(most);
      String stat = Files.readString(group.resolve("memory.stat"), StandardCharsets.US_ASCII);
      OptionalLong ownBytes = counter(stat, own);
      OptionalLong sharedBytes = counter(stat, shared);
      return limitBytes > NO_LIMIT || ownBytes.isEmpty()
          ? Optional.empty()
          : Optional.of(new Usage(ownBytes.getAsLong() + sharedBytes.orElse(0), limitBytes));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private static OptionalLong counter(String stat, String name) {
    return stat.lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToLong(line -> Long.parseLong(line.substring(name.length() + 1).strip()))
        .findFirst();
  }
}
