package harness.workspace.command;

import java.io.IOException;
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
  /** Of the whole process; also the lock under which one begins and all are looked through. */
  private static final Map<Integer, Lineage> RUNNING = new HashMap<>();

  private final int self = (int) ProcessHandle.current().pid();

  /** Starts a program. */
  interface Start {
    int run() throws IOException;
  }

  /** Starts the first process of a command; nobody sees it without knowing whose it is. */
  Lineage begin(Start start, String output, String cookie) throws IOException {
    synchronized (RUNNING) {
      int pid = start.run();
      long since = ProcessEntry.of(pid).map(ProcessEntry::start).orElse(0L);
      Lineage lineage = new Lineage(pid, since, output, cookie);
      RUNNING.put(pid, lineage);
      return lineage;
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
      Search search = new Search(ProcessEntry.all());
      List<ProcessEntry> found = new ArrayList<>();
      for (ProcessEntry process : search.all.values()) {
        if (process.pid() != lineage.pid() && isOf(lineage, process, search.owner(process))) {
          found.add(process);
        }
      }
      return found;
    }
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
    private final int session;

    Search(Map<Integer, ProcessEntry> all) {
      this.all = all;
      this.session = Optional.ofNullable(all.get(self)).map(ProcessEntry::session).orElse(-1);
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
