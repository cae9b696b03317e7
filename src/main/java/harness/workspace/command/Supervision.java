package harness.workspace.command;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import harness.workspace.Libc;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Follows one command from its start to the end of all that it started, on a thread of its own.
 * Output comes through a pipe that is read as it fills and never waited for, so that nothing holds
 * it up that keeps the other end open; unlike a file, a program that opens {@code /dev/stderr}
 * can't cut it.
 */
final class Supervision {
  /** How long a wait lasts at most, and so how late a stop or a limit is noticed. */
  private static final Duration TICK = Duration.ofMillis(50);

  /** The same where the kernel does not say when a process ends. */
  private static final Duration SHORT_TICK = Duration.ofMillis(10);

  /** How long what a command left running may still take to come to its own end. */
  private static final Duration LINGER = Duration.ofMillis(300);

  private static final int BLOCK_BYTES = 64 * 1024;
  private static final int DRAINED_BLOCKS = 16;
  private static final int NONE = -1;

  /** A shell says by this and the number of a signal that one ended a program. */
  private static final int SIGNALLED = 128;

  private final Order order;
  private final Command command;
  private final Received received;
  private final MemoryWatch memory;
  private final Guard guard;
  private final Lineages lineages;
  private final Ending ending;
  private final Stopwatch watch;

  private int pipe = NONE;
  private Optional<Command.End> cause = Optional.empty();

  Supervision(
      Order order,
      Command command,
      Received received,
      MemoryWatch memory,
      Guard guard,
      Lineages lineages,
      Ending ending,
      Stopwatch watch) {
    this.order = order;
    this.command = command;
    this.received = received;
    this.memory = memory;
    this.guard = guard;
    this.lineages = lineages;
    this.ending = ending;
    this.watch = watch;
  }

  /**
   * Follows it to its end, which the command then knows.
   *
   * @param reading where its output comes from; closed here
   */
  void follow(Lineage lineage, int reading) throws IOException {
    pipe = reading;
    int process = ProcessCalls.watch(lineage.pid());
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment block = arena.allocate(BLOCK_BYTES);
      run(lineage, process, block);
      boolean alone = linger(lineage, block);
      Optional<ProcessCalls.Ended> ended = ProcessCalls.ended(lineage.pid(), true);
      List<ProcessEntry> left = alone ? ending.endAlone(lineage) : ending.end(lineage);
      drain(block);
      cause = cause.or(guard::objection);
      guard.mend();
      received.end();
      command.tick(watch.elapsed());
      command.ended(
          cause.or(received::refusal).orElseGet(() -> end(ended)),
          left.stream().map(ProcessEntry::pid).toList());
    } finally {
      close(process);
      close(pipe);
    }
  }

  private void run(Lineage lineage, int process, MemorySegment block) throws IOException {
    Duration tick = process == NONE ? SHORT_TICK : TICK;
    while (cause.isEmpty() && ProcessCalls.ended(lineage.pid(), true).isEmpty()) {
      pump(block, memory.patience(watch.elapsed(), tick), process);
      Duration ran = watch.elapsed();
      weigh(ran);
      if (command.awaited()) {
        received.flush();
      }
      received.tell(ran);
      command.tick(ran);
      if (command.stopping()) {
        cause = Optional.of(new Command.End.Stopped());
      } else if (cause.isEmpty()
          && order.limit().filter(limit -> ran.compareTo(limit) >= 0).isPresent()) {
        cause = Optional.of(new Command.End.OutOfTime(order.limit().get()));
      } else {
        cause = cause.or(guard::objection);
      }
    }
  }

  /**
   * Some programs end a moment after the shell that started them, such as a reader of its pipe.
   *
   * @return whether nothing at all is left but the shell
   */
  private boolean linger(Lineage lineage, MemorySegment block) throws IOException {
    Duration begin = watch.elapsed();
    while (cause.isEmpty() && !command.stopping()) {
      List<ProcessEntry> left = lineages.of(lineage);
      boolean over = watch.elapsed().minus(begin).compareTo(LINGER) >= 0;
      if (over || left.stream().allMatch(ProcessEntry::zombie)) {
        return left.isEmpty();
      }
      pump(block, SHORT_TICK, NONE);
      weigh(watch.elapsed());
    }
    return false;
  }

  private void weigh(Duration ran) throws IOException {
    Optional<Command.End.OutOfMemory> excess = memory.excess(ran);
    if (excess.isPresent() && cause.isEmpty()) {
      cause = Optional.of(excess.get());
    }
  }

  /** Takes what was still on the way; more than a pipe holds is none of it. */
  private void drain(MemorySegment block) throws IOException {
    boolean more = true;
    for (int i = 0; i < DRAINED_BLOCKS && more; i++) {
      more = pump(block, Duration.ZERO, NONE);
    }
  }

  /**
   * Takes what output there is, waiting a while for some or for the end of the process.
   *
   * @return whether there may be more
   */
  private boolean pump(MemorySegment block, Duration atMost, int process) throws IOException {
    if (!ProcessCalls.awaitEither(pipe, process, atMost)) {
      return false;
    }
    int read = ProcessCalls.read(pipe, block);
    if (read == 0) {
      close(pipe);
      pipe = NONE;
      return false;
    }
    if (!received.take(block.asSlice(0, read).toArray(JAVA_BYTE))) {
      cause = cause.or(() -> Optional.of(new Command.End.OutOfRoom(received.bytes())));
    }
    return true;
  }

  private static Command.End end(Optional<ProcessCalls.Ended> ended) {
    ProcessCalls.Ended how = ended.orElse(new ProcessCalls.Ended(false, ProcessCalls.SIGKILL));
    int code = how.exited() ? how.number() : SIGNALLED + how.number();
    int signal = code - SIGNALLED;
    return signal > 0 && (!how.exited() || Signals.ends(signal))
        ? new Command.End.Killed(Signals.name(signal), code)
        : new Command.End.Exited(code);
  }

  private static void close(int descriptor) {
    if (descriptor != NONE) {
      Libc.close(descriptor);
    }
  }
}
