package harness.workspace.command;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** Ends all that a command started. */
final class Ending {
  /** How long that may take; what the kernel holds longer is left behind. */
  static final Duration AT_MOST = Duration.ofSeconds(2);

  private static final Duration PAUSE = Duration.ofMillis(5);

  /** So many looks at what comes up are made at once, and so many in vain end them. */
  private static final int QUICK_LOOKS = 500;

  private static final int VAIN_LOOKS = 30;
  private static final int NONE = -1;

  private final Lineages lineages;
  private final InstantSource clock;

  Ending(Lineages lineages, InstantSource clock) {
    this.lineages = lineages;
    this.clock = clock;
  }

  /**
   * Kills until nothing is found any more, and gives the number of the first process back.
   *
   * @return what outlived it
   */
  List<ProcessEntry> end(Lineage lineage) throws IOException {
    // The whole group at one blow: none of it can start another one meanwhile.
    ProcessCalls.kill(-lineage.pid(), ProcessCalls.SIGKILL);
    Stopwatch watch = new Stopwatch(clock);
    for (int look = 1; ; look++) {
      if (look > 1) {
        outrun(lineage);
      }
      List<ProcessEntry> left = lineages.of(lineage);
      for (ProcessEntry process : left) {
        end(process);
      }
      boolean ended = ProcessCalls.ended(lineage.pid(), true).isPresent();
      if ((ended && left.isEmpty()) || watch.reached(AT_MOST)) {
        // Its number is given back last, because it is also that of the session and the group.
        ProcessCalls.reap(lineage.pid());
        return left;
      }
      ProcessCalls.awaitEither(NONE, NONE, PAUSE);
    }
  }

  /**
   * Ends what starts another process and ends by itself, over and over, before a look at all
   * processes comes to it.
   */
  private void outrun(Lineage lineage) throws IOException {
    try (ProcessNumbers numbers = new ProcessNumbers()) {
      int vain = 0;
      for (int look = 0; look < QUICK_LOOKS && vain < VAIN_LOOKS; look++) {
        vain = lineages.endNew(lineage, numbers) ? 0 : vain + 1;
      }
    }
  }

  /** The same where the first process has ended and nothing else was found. */
  List<ProcessEntry> endAlone(Lineage lineage) throws IOException {
    ProcessCalls.kill(-lineage.pid(), ProcessCalls.SIGKILL);
    ProcessCalls.reap(lineage.pid());
    return List.of();
  }

  private void end(ProcessEntry process) throws IOException {
    if (!process.zombie()) {
      ProcessCalls.kill(-process.group(), ProcessCalls.SIGKILL);
      ProcessCalls.kill(process.pid(), ProcessCalls.SIGKILL);
    } else if (lineages.isOwn(process)) {
      ProcessCalls.reap(process.pid());
    }
  }
}
