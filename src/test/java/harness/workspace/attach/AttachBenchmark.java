package harness.workspace.attach;

import harness.workspace.Handles;
import harness.workspace.git.PlaceOrder;
import harness.workspace.git.Placement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * Times a new worktree of a large repository beside {@code git worktree add}, one after the other
 * in turn, in the same clone. Arguments: a repository, an empty directory, rounds.
 */
final class AttachBenchmark {
  private AttachBenchmark() {}

  public static void main(String[] arguments) throws Exception {
    Path source = Path.of(arguments[0]).toRealPath();
    Path base = Files.createDirectories(Path.of(arguments[1])).toRealPath();
    int rounds = Integer.parseInt(arguments[2]);
    Path root = Files.createDirectories(base.resolve("work"));
    Mirrors mirrors = new Mirrors(root.resolve(PlaceOrder.MIRRORS), root, List.of());
    AttachOrder.Slot slot =
        AttachOrder.Slot.of(
            "slots[0]", "big", "file://" + source, Optional.empty(), OptionalInt.empty());
    Handles handles = Handles.system(new SecureRandom());
    long begin = System.nanoTime();
    PlaceOrder first = mirrors.fetch(slot, "first", Optional.empty());
    System.out.printf("fetch into the mirror   %6d ms%n", millis(begin));
    begin = System.nanoTime();
    Object placed = Placement.run(handles, root.toString(), first, InstantSource.system());
    System.out.printf("clone and worktree, cold %5d ms%n", millis(begin));
    Path clone = root.resolve("big/default");
    run(clone, "git", "config", "gc.auto", "0");
    List<Long> ours = new ArrayList<>();
    List<Long> theirs = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      run(clone, "sync");
      begin = System.nanoTime();
      PlaceOrder order = mirrors.fetch(slot, "round-" + round, Optional.empty());
      long fetched = millis(begin);
      Object again = Placement.run(handles, root.toString(), order, InstantSource.system());
      ours.add(millis(begin));
      run(clone, "sync");
      begin = System.nanoTime();
      Path other = base.resolve("git-" + round);
      run(
          clone,
          "git",
          "-c",
          "checkout.workers=2",
          "worktree",
          "add",
          "-q",
          "-b",
          "git-" + round,
          other.toString());
      theirs.add(millis(begin));
      System.out.printf(
          "attach %5d ms (of it %d fetching), git worktree add %5d ms%n",
          ours.getLast(), fetched, theirs.getLast());
      // Nothing is removed between: some file systems make new files slowly for a while then.
    }
    System.out.printf("medians: attach %d ms, git %d ms%n", median(ours), median(theirs));
  }

  private static long millis(long begin) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
  }

  private static long median(List<Long> times) {
    Collections.sort(times);
    return times.isEmpty() ? 0 : times.get(times.size() / 2);
  }

  private static void run(Path directory, String... command) throws Exception {
    Process process = new ProcessBuilder(command).directory(directory.toFile()).inheritIO().start();
    if (process.waitFor() != 0) {
      throw new IllegalStateException(String.join(" ", command) + " failed");
    }
  }
}
