package harness.tool.socket;

import harness.tool.MemoryExcess;
import harness.workspace.command.ContainerMemory;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Tells, while calls run, how the most that their container has in memory grows: where it meets its
 * limit the runner may be gone with it, and then only the Harness can say why.
 */
final class MemoryPeaks {
  private static final Duration PAUSE = Duration.ofMillis(15);

  /** It is told each time that it has grown by such a part of the limit. */
  private static final int STEPS = Protocol.MAX_PEAKS / 2;

  private static final System.Logger LOG = System.getLogger(MemoryPeaks.class.getName());

  /** Looks what the container of this process has in memory; empty where it has no limit. */
  @FunctionalInterface
  interface Look {
    Optional<ContainerMemory.Usage> look() throws IOException;
  }

  private final Look memory;
  private final Consumer<Answer> teller;
  private final Map<Long, Long> told = new HashMap<>();
  private boolean watching;

  /**
   * @param teller sends it
   */
  MemoryPeaks(Look memory, Consumer<Answer> teller) {
    this.memory = memory;
    this.teller = teller;
  }

  /** A call has begun. */
  synchronized void begin(long id) {
    told.put(id, 0L);
    if (!watching) {
      watching = true;
      Thread.ofVirtual().name("runner memory").start(this::watch);
    }
  }

  /** A call has ended; nothing is told of it once this has returned. */
  synchronized void end(long id) {
    told.remove(id);
  }

  /** Whether there is still something to watch for. */
  private synchronized boolean wanted() {
    watching = watching && !told.isEmpty();
    return watching;
  }

  private void watch() {
    try {
      // Where there is no limit, nothing can meet it.
      boolean limited = true;
      while (limited && wanted()) {
        Thread.sleep(PAUSE);
        limited = look();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** One look may fail, where the process has too many files open, say; the next may not. */
  private boolean look() {
    try {
      var usage = memory.look();
      usage.ifPresent(one -> tell(new MemoryExcess(one.bytes(), one.limitBytes())));
      return usage.isPresent();
    } catch (IOException | RuntimeException e) {
      LOG.log(Level.DEBUG, "what the container has in memory can't be told", e);
      return true;
    }
  }

  private synchronized void tell(MemoryExcess now) {
    for (Map.Entry<Long, Long> call : told.entrySet()) {
      if (now.peakBytes() - call.getValue() > now.limitBytes() / STEPS) {
        call.setValue(now.peakBytes());
        teller.accept(new Answer.Memory(call.getKey(), now));
      }
    }
  }
}
