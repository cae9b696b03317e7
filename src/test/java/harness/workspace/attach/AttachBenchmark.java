package harness.workspace.attach;

import harness.workspace.Handles;
import harness.workspace.git.PlaceOrder;
import harness.workspace.git.Placement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/**
 * Times a new worktree of a large repository beside {@code git worktree add}, one after the other
 * in turn, in the same clone, and has git look whether all is well. Arguments: a repository, an
 * empty directory or that of a run before, rounds.
 */
final class AttachBenchmark {
  /** Where {@code /proc/PID/stat} has the time outside the kernel, behind the name. */
  private static final int USER_FIELD = 11;

  private static final int TICK_MILLIS = 10;

  private AttachBenchmark() {}

  public static void main(String[] arguments) throws Exception {
    Path source = Path.of(arguments[0]).toRealPath();
    Path base = Files.createDirectories(Path.of(arguments[1])).toRealPath();
    int rounds = Integer.parseInt(arguments[2]);
    Path root = Files.createDirectories(base.resolve("work"));
    Mirrors mirrors = new Mirrors(root.resolve(PlaceOrder.MIRRORS), root, List.of());
    AttachOrder.Slot slot =
        AttachOrder.Slot.of(
            "slots[0]",
            "big",
            "file://" + source,
            Optional.empty(),
            OptionalInt.empty(),
            Optional.empty());
    Handles handles = Handles.system(new SecureRandom());
    long begin = System.nanoTime();
    PlaceOrder first = mirrors.fetch(slot, "first", Optional.empty());
    System.out.printf("fetch into the mirror   %6d ms%n", millis(begin));
    begin = System.nanoTime();
    Object placed = Placement.run(handles, root.toString(), first, InstantSource.system());
    System.out.printf("clone and worktree, cold %5d ms%n", millis(begin));
    Path clone = root.resolve("big/default");
    run(clone, "git", "config", "gc.auto", "0");
    List<Cost> ours = new ArrayList<>();
    List<Cost> theirs = new ArrayList<>();
    String run = Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);
    for (int round = 0; round < rounds; round++) {
      run(clone, "sync");
      long[] before = now("self");
      PlaceOrder order = mirrors.fetch(slot, run + "-" + round, Optional.empty());
      long fetched = Cost.since(before, "self").wall();
      Object again = Placement.run(handles, root.toString(), order, InstantSource.system());
      ours.add(Cost.since(before, "self"));
      run(clone, "sync");
      before = now("children");
      Path other = base.resolve("git-" + run + "-" + round);
      run(
          clone,
          "git",
          "-c",
          "checkout.workers=2",
          "worktree",
          "add",
          "-q",
          "-b",
          "git-" + run + "-" + round,
          other.toString());
      theirs.add(Cost.since(before, "children"));
      System.out.printf(
          "attach %s (of it %d ms fetching), git worktree add %s%n",
          ours.getLast(), fetched, theirs.getLast());
      // Nothing is removed between: some file systems make new files slowly for a while then.
    }
    System.out.printf("medians: attach %s, git %s%n", median(ours), median(theirs));
    check(root.resolve("big"), run, rounds);
  }

  /**
   * What one worktree took, in milliseconds: of time, and of processors outside and in the kernel.
   */
  private record Cost(long wall, long user, long system) {
    static Cost since(long[] before, String whose) throws IOException {
      long[] after = now(whose);
      return new Cost(after[0] - before[0], after[1] - before[1], after[2] - before[2]);
    }

    @Override
    public String toString() {
      return "%5d ms (processor %d user, %d system)".formatted(wall, user, system);
    }
  }

  /** The time now, and what this process or its children that have ended took, in milliseconds. */
  private static long[] now(String whose) throws IOException {
    String stat = Files.readString(Path.of("/proc/self/stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    int at = whose.equals("self") ? USER_FIELD : USER_FIELD + 2;
    return new long[] {
      millis(0),
      Long.parseLong(fields[at]) * TICK_MILLIS,
      Long.parseLong(fields[at + 1]) * TICK_MILLIS
    };
  }

  /** Fails where git finds anything to say of a worktree. */
  private static void check(Path slot, String run, int rounds) throws Exception {
    for (int round = 0; round < rounds; round++) {
      Path worktree = slot.resolve(run + "-" + round);
      String said = Remote.git(worktree, "status", "--porcelain");
      if (round == rounds - 1) {
        // An index that knows nothing of the files: git reads each one.
        said += Remote.git(worktree, "read-tree", "HEAD");
        said += Remote.git(worktree, "status", "--porcelain");
      }
      if (!said.isEmpty()) {
        throw new IllegalStateException(worktree + " is not clean: " + said);
      }
    }
    System.out.println("git fsck: " + Remote.git(slot.resolve("default"), "fsck").strip());
  }

  private static long millis(long begin) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
  }

  private static Cost median(List<Cost> costs) {
    return new Cost(
        median(costs, Cost::wall), median(costs, Cost::user), median(costs, Cost::system));
  }

  private static long median(List<Cost> costs, ToLongFunction<Cost> of) {
    long[] sorted = costs.stream().mapToLong(of).sorted().toArray();
    return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
  }

  private static void run(Path directory, String... command) throws Exception {
    Process process = new ProcessBuilder(command).directory(directory.toFile()).inheritIO().start();
    if (process.waitFor() != 0) {
      throw new IllegalStateException(String.join(" ", command) + " failed");
    }
  }
}
