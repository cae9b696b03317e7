package harness.workspace.git;

import static org.junit.jupiter.api.Assertions.assertEquals;

import harness.Seed;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Status and diff are git's own also where much is out of the ordinary: line ends, attributes,
 * flags of the index, conflicts, repositories in repositories. {@code -Dseed=N} begins with the
 * repository of that seed, {@code -Drepositories=N} makes so many.
 */
class OddRepositoriesTest {
  private static final int REPOSITORIES = Integer.getInteger("repositories", 8);
  private static final int STEPS = 60;
  private static final int COMPARED_EVERY = 6;

  @TempDir private Path temporary;

  @Test
  void statusAndDiffOfOddRepositoriesAreThoseOfGit() throws Exception {
    long first = Seed.get(OddRepositoriesTest.class);
    for (long seed = first; seed < first + REPOSITORIES; seed++) {
      Path directory = temporary.toRealPath().resolve("r" + (seed - first));
      OddRepository repository = new OddRepository(directory, new Random(seed));
      List<String> done = new ArrayList<>();
      for (int step = 0; step < STEPS; step++) {
        done.add(repository.step());
        if (step % COMPARED_EVERY == COMPARED_EVERY - 1) {
          compare(directory, "seed " + seed + ", step " + step + ": " + done);
        }
      }
    }
  }

  private void compare(Path directory, String where) throws Exception {
    GitProgram git = new GitProgram(directory);
    try (GitView view = GitView.open(temporary.toRealPath(), directory)) {
      GitStatus status = view.status();
      List<String> lines = new ArrayList<>(List.of("## " + status.branch()));
      lines.addAll(status.lines());
      List<String> theirs =
          git.run("--no-optional-locks", "status", "--porcelain", "-b").lines().toList();
      assertEquals(theirs, withoutReplaced(lines, git), where);
      assertEquals(git.run("diff", "--ours"), view.diff(DiffQuery.WORKTREE).text(), where);
      assertEquals(git.run("diff", "--cached"), view.diff(DiffQuery.STAGED).text(), where);
    }
  }

  /** git does not list a directory in the place of a file that it knows. */
  private static List<String> withoutReplaced(List<String> lines, GitProgram git) throws Exception {
    Set<String> replaced = new TreeSet<>();
    for (String path : git.run("ls-files", "-z").split("\0")) {
      replaced.add("?? " + new PathDisplay("").shown(path + "/"));
    }
    return lines.stream().filter(line -> !replaced.contains(line)).toList();
  }
}
