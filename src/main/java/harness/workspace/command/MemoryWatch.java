package harness.workspace.command;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Looks how much memory the processes of one command have, as often as they could fill what they
 * still may have. What processes share counts once, and what is only a copy of a file not at all,
 * because the system takes that back by itself.
 */
final class MemoryWatch {
  private static final System.Logger LOG = System.getLogger(MemoryWatch.class.getName());

  /** How much one processor fills in a millisecond at most. */
  private static final long FILLED_BYTES = 4L * 1024 * 1024;

  private static final Duration SOONEST = Duration.ofMillis(15);
  private static final Duration LATEST = Duration.ofMillis(250);

  /** Also where the clock was set while an exact look was made. */
  private static final Duration MOST = Duration.ofSeconds(1);

  /** An exact look may take a while; it takes at most one part in so many of the time. */
  private static final int REST = 10;

  private final Lineages lineages;
  private final Lineage lineage;
  private final long limitBytes;
  private final InstantSource clock;
  private final Optional<ContainerMemory> container;
  private Duration next = Duration.ZERO;
  private Duration nextOfContainer = Duration.ZERO;

  MemoryWatch(
      Lineages lineages,
      Lineage lineage,
      long limitBytes,
      Optional<ContainerMemory> container,
      InstantSource clock) {
    this.container = container;
    this.clock = clock;
    this.lineages = lineages;
    this.lineage = lineage;
    this.limitBytes = limitBytes;
  }

  /** How long may be waited until the next look, at most for a while. */
  Duration patience(Duration ran, Duration atMost) {
    Duration soonest =
        container.isPresent() && nextOfContainer.compareTo(next) < 0 ? nextOfContainer : next;
    Duration left = soonest.minus(ran);
    return left.compareTo(atMost) < 0 ? (left.isNegative() ? Duration.ZERO : left) : atMost;
  }

  /**
   * Looks, where it is time to.
   *
   * @param ran how long the command has run
   * @return how the command ends, where it or the container has more than it may have
   */
  Optional<Command.End.OutOfMemory> excess(Duration ran) throws IOException {
    Optional<Command.End.OutOfMemory> full = full(ran);
    return full.isPresent() ? full : ofCommand(ran);
  }

  /** The container ends at its limit, and all that is in it; then the commands end before. */
  private Optional<Command.End.OutOfMemory> full(Duration ran) {
    if (container.isEmpty() || ran.compareTo(nextOfContainer) < 0) {
      return Optional.empty();
    }
    nextOfContainer = ran.plus(SOONEST);
    try {
      return container
          .get()
          .look()
          .filter(ContainerMemory.Usage::full)
          .map(usage -> new Command.End.OutOfMemory(usage.bytes(), usage.limitBytes()));
    } catch (IOException e) {
      // One look may fail, where the process has too many files open, say; the next may not.
      LOG.log(Level.DEBUG, "what the container has in memory can't be read", e);
      return Optional.empty();
    }
  }

  private Optional<Command.End.OutOfMemory> ofCommand(Duration ran) throws IOException {
    if (ran.compareTo(next) < 0) {
      return Optional.empty();
    }
    List<ProcessEntry> processes = lineages.recent(lineage);
    long bytes = processes.stream().mapToLong(ProcessEntry::residentBytes).sum();
    Duration rest = Duration.ZERO;
    if (bytes > limitBytes) {
      Instant begin = clock.instant();
      bytes = processes.stream().mapToLong(ProcessEntry::ownBytes).sum();
      rest = Duration.between(begin, clock.instant()).multipliedBy(REST);
    }
    if (bytes > limitBytes) {
      return Optional.of(new Command.End.OutOfMemory(bytes, limitBytes));
    }
    Duration wait = longer(rest, untilFull(limitBytes - bytes));
    next = ran.plus(wait.compareTo(MOST) > 0 ? MOST : wait);
    return Optional.empty();
  }

  private static Duration untilFull(long bytes) {
    long millis = bytes / (FILLED_BYTES * Runtime.getRuntime().availableProcessors());
    return Duration.ofMillis(Math.clamp(millis, SOONEST.toMillis(), LATEST.toMillis()));
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }
}
