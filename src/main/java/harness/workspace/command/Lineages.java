package harness.workspace.command;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The commands that run, and which process belongs to which of them. All that they start descends
 * from this process, because what loses its parent is adopted by it; and none of it is in this
 * process's own session, because each command begins one and there is no way back.
 */
final class Lineages {
  private static final System.Logger LOG = System.getLogger(Lineages.class.getName());

  /** Of the whole process; also the lock under which one begins and all are looked through. */
  private static final Map<Integer, Lineage> RUNNING = new HashMap<>();

  /** How old a look at all processes may be that many commands share. */
  private static final Duration RECENT = Duration.ofMillis(10);

  private final InstantSource clock;
  private Optional<Search> shared = Optional.empty();
  private Instant looked = Instant.EPOCH;
  private final int self = (int) ProcessHandle.current().pid();
  private final int session = ProcessEntry.of(self).map(ProcessEntry::session).orElse(-1);

  Lineages(InstantSource clock) {
    this.clock = clock;
  }

  /** Starts a program. */
  interface Start {
    int run() throws IOException;
  }

  /** Starts the first process of a command; nobody sees it without knowing whose it is. */
  Lineage begin(Start start, String output, String cookie) throws IOException {
    synchronized (RUNNING) {
      int pid = start.run();
      preferToEnd(pid);
      long since = ProcessEntry.of(pid).map(ProcessEntry::start).orElse(0L);
      Lineage lineage = new Lineage(pid, since, output, cookie);
      RUNNING.put(pid, lineage);
      return lineage;
    }
  }

  /** Where the system runs out of memory it ends commands first, and not this process. */
  private static void preferToEnd(int pid) {
    try {
      Files.writeString(Path.of("/proc/" + pid + "/oom_score_adj"), "1000");
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "a command is ended no sooner than others", e);
    }
  }

  void remove(Lineage lineage) {
    synchronized (RUNNING) {
      RUNNING.remove(lineage.pid());
    }
  }

  boolean isOwn(ProcessEntry process) {
    return process.parent() == self;
  }

  /** The processes of a command, but for its first one. */
  List<ProcessEntry> of(Lineage lineage) throws IOException {
    synchronized (RUNNING) {
      Search search = new Search(table());
      List<ProcessEntry> found = new ArrayList<>();
      for (ProcessEntry process : search.all.values()) {
        if (process.pid() != lineage.pid() && isOf(lineage, process, search.owner(process))) {
          found.add(process);
        }
      }
      return found;
    }
  }

  /**
   * All processes. Orphans that have ended are gone after that: nobody else waits for them, and a
   * command that goes on making them would fill the table.
   */
  private Map<Integer, ProcessEntry> table() throws IOException {
    Map<Integer, ProcessEntry> all = ProcessEntry.all();
    for (ProcessEntry process : all.values()) {
      if (process.zombie() && isOrphan(process)) {
        ProcessCalls.reap(process.pid());
      }
    }
    return all;
  }

  /** What a command started and this process adopted; all in its own session is its own. */
  private boolean isOrphan(ProcessEntry process) {
    return isOwn(process) && process.session() != session && !RUNNING.containsKey(process.pid());
  }

  /** All processes of a command, as they were a moment ago. */
  List<ProcessEntry> recent(Lineage lineage) throws IOException {
    synchronized (RUNNING) {
      Instant now = clock.instant();
      boolean old = !looked.plus(RECENT).isAfter(now) || looked.isAfter(now);
      Search search = shared.isEmpty() || old ? new Search(table()) : shared.get();
      shared = Optional.of(search);
      looked = old ? now : looked;
      return search.all.values().stream()
          .filter(process -> isOf(lineage, process, search.owner(process)))
          .toList();
    }
  }

  /**
   * Kills what has come up of a command since the last time; whether anything had.
   *
   * @param numbers tells what comes up
   */
  boolean endNew(Lineage lineage, ProcessNumbers numbers) throws IOException {
    boolean any = false;
    // No first process of another command comes up meanwhile.
    synchronized (RUNNING) {
      // The newest is the one that still runs.
      for (int number : numbers.next().reversed()) {
        Optional<ProcessEntry> process = numbers.entry(number);
        if (process.isEmpty()) {
          continue;
        }
        if (process.get().zombie() && isOrphan(process.get())) {
          ProcessCalls.reap(number);
          any = true;
        } else if (cameUpOf(lineage, process.get(), numbers)) {
          ProcessCalls.kill(number, ProcessCalls.SIGKILL);
          any = true;
        }
      }
    }
    return any;
  }

  /** An orphan of the command, or a child of one. */
  private boolean cameUpOf(Lineage lineage, ProcessEntry process, ProcessNumbers numbers)
      throws IOException {
    if (isOrphan(process)) {
      return isOf(lineage, process, new Search(Map.of(process.pid(), process)).owner(process));
    }
    Optional<ProcessEntry> parent =
        RUNNING.containsKey(process.pid()) || isOwn(process)
            ? Optional.empty()
            : numbers.entry(process.parent());
    return parent.isPresent() && isOrphan(parent.get()) && cameUpOf(lineage, parent.get(), numbers);
  }

  private boolean isOf(Lineage lineage, ProcessEntry process, Owner owner) {
    return switch (owner) {
      case Owner.Command(int pid) -> pid == lineage.pid();
      case Owner.Unknown() -> process.start() >= lineage.start();
      case Owner.None() -> false;
    };
  }

  /** Whose a process is. */
  private sealed interface Owner {
    /** A command's. */
    record Command(int pid) implements Owner {}

    /**
     * A command's, as it was adopted by this process, but it shows no mark of one; it is ended with
     * whichever command ends first of those it may be of.
     */
    record Unknown() implements Owner {}

    record None() implements Owner {}
  }

  /** One look at all processes. */
  private final class Search {
    private final Map<Integer, ProcessEntry> all;
    private final Map<Integer, Owner> known = new HashMap<>();

    Search(Map<Integer, ProcessEntry> all) {
      this.all = all;
    }

    Owner owner(ProcessEntry process) {
      Owner before = known.get(process.pid());
      if (before != null) {
        return before;
      }
      // A number that was used again while the table was read could else lead in a circle.
      known.put(process.pid(), new Owner.None());
      Owner owner = find(process);
      known.put(process.pid(), owner);
      return owner;
    }

    private Owner find(ProcessEntry process) {
      if (RUNNING.containsKey(process.session())) {
        return new Owner.Command(process.session());
      }
      Owner inherited = inherited(process);
      if (inherited instanceof Owner.Unknown) {
        for (Lineage lineage : RUNNING.values()) {
          if (lineage.marks(process)) {
            return new Owner.Command(lineage.pid());
          }
        }
      }
      return inherited;
    }

    private Owner inherited(ProcessEntry process) {
      if (process.parent() == self) {
        return process.session() == session ? new Owner.None() : new Owner.Unknown();
      }
      ProcessEntry parent = all.get(process.parent());
      return process.pid() == self || parent == null ? new Owner.None() : owner(parent);
    }
  }
}
