package harness.workspace.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.workspace.Handles;
import harness.workspace.Root;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several at work in one repository wait for each other, and lose nothing. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class GitLocksTest {
  private static final int COMMITS = 15;

  @TempDir private Path temporary;
  private Path root;
  private Path repository;
  private GitProgram git;
  private GitWorkplace impatient;

  @BeforeEach
  void makeARepository() throws Exception {
    root = temporary.toRealPath();
    repository = GitProgramFixture.committed(root.resolve("repo"), "one");
    git = new GitProgram(repository);
    impatient = new GitWorkplace(root, repository, Duration.ofMillis(100));
    Files.writeString(repository.resolve("file.txt"), "two\n");
  }

  private String refused(GitWorkplace tools) {
    GitException refused = assertThrows(GitException.class, () -> tools.add("file.txt"));
    return String.valueOf(refused.getMessage());
  }

  @Test
  void aLockThatStaysIsNamedWithItsAgeAndTheMend() throws Exception {
    Path lock = Files.createFile(repository.resolve(".git/index.lock"));
    Files.setLastModifiedTime(lock, FileTime.from(Instant.now().minusSeconds(3600)));
    String message = refused(impatient);
    assertTrue(message.contains(lock + " is there for 36"), message);
    assertTrue(message.contains("No process that can be seen has it open"), message);
    assertTrue(message.contains("'rm " + lock + "'"), message);
    assertTrue(Files.exists(lock), "it is somebody else's");
    assertTrue(
        assertThrows(GitException.class, () -> impatient.commit("x"))
            .toString()
            .contains("index.lock"));
    assertThrows(GitException.class, () -> impatient.restore("file.txt"));
    Files.delete(lock);
    assertEquals(List.of("M file.txt"), impatient.add("file.txt").lines());
  }

  @Test
  void aProcessThatHasTheLockOpenIsNamed() throws Exception {
    String command = "exec 3> .git/index.lock; echo ready; exec sleep 60";
    Process holder = new ProcessBuilder("sh", "-c", command).directory(repository.toFile()).start();
    try (BufferedReader output = holder.inputReader()) {
      assertEquals("ready", output.readLine());
      String message = refused(impatient);
      assertTrue(message.contains("process " + holder.pid()), message);
      assertTrue(message.contains("has it open; try again when that has ended"), message);
    } finally {
      holder.destroyForcibly().waitFor();
    }
  }

  @Test
  void aLockThatGoesIsWaitedFor() throws Exception {
    AtomicInteger tries = new AtomicInteger();
    try (Root open = Root.open(Handles.system(new Random(1)), root.toString(), root.toString())) {
      LockWait wait = new LockWait(Duration.ofSeconds(60), Instant::now);
      String got =
          wait.until(
              open.way(),
              "none.lock",
              () -> tries.incrementAndGet() < 4 ? Optional.empty() : Optional.of("got"));
      assertEquals("got", got);
      assertEquals(4, tries.get());
    }
  }

  @Test
  void aWaitCanBeInterrupted() throws Exception {
    Files.createFile(repository.resolve(".git/index.lock"));
    Thread.currentThread().interrupt();
    assertThrows(
        InterruptedException.class, () -> new GitWorkplace(root, repository).add("file.txt"));
    assertFalse(Thread.interrupted());
  }

  @Test
  void aLockedBranchLeavesTheIndexUnlocked() throws Exception {
    impatient.add("file.txt");
    Path lock = Files.createFile(repository.resolve(".git/refs/heads/main.lock"));
    GitException refused = assertThrows(GitException.class, () -> impatient.commit("Second"));
    assertTrue(String.valueOf(refused.getMessage()).contains(lock.toString()));
    assertFalse(Files.exists(repository.resolve(".git/index.lock")));
    assertEquals("M  file.txt\n", git.run("status", "--porcelain"));
    Files.delete(lock);
    impatient.commit("Second");
    assertEquals("", git.run("status", "--porcelain"));
    assertEquals("", git.run("fsck", "--strict", "--no-dangling"));
  }

  @Test
  void commitsOfTwoInOneWorktreeLoseNothing() throws Exception {
    git.run("checkout", "-q", "file.txt");
    both(
        () -> commits(new GitWorkplace(root, repository), repository, "a"),
        () -> commits(new GitWorkplace(root, repository), repository, "b"));
    assertEquals(2 * COMMITS + 1, git.run("ls-tree", "--name-only", "HEAD").lines().count());
    assertEquals("", git.run("status", "--porcelain"));
    assertEquals("", git.run("fsck", "--strict", "--no-dangling"));
  }

  @Test
  void commitsInTwoWorktreesOfOneRepositoryLoseNothing() throws Exception {
    git.run("checkout", "-q", "file.txt");
    Path linked = root.resolve("linked");
    git.run("worktree", "add", "-q", linked.toString());
    both(
        () -> commits(new GitWorkplace(root, repository), repository, "a"),
        () -> commits(new GitWorkplace(root, linked), linked, "b"));
    for (Path worktree : List.of(repository, linked)) {
      GitProgram program = new GitProgram(worktree);
      assertEquals(COMMITS + 1 + "\n", program.run("rev-list", "--count", "HEAD"));
      assertEquals("", program.run("status", "--porcelain"));
      List<String> log = program.run("reflog", "HEAD").lines().toList();
      assertEquals(COMMITS, log.stream().filter(line -> line.contains(": commit: ")).count());
    }
    assertEquals("", git.run("fsck", "--strict", "--no-dangling"));
  }

  /** Each its own files; another's that was staged meanwhile may ride along. */
  private static void commits(GitWorkplace tools, Path worktree, String name) throws Exception {
    for (int i = 0; i < COMMITS; i++) {
      String file = name + i;
      Files.writeString(worktree.resolve(file), name + i + "\n");
      tools.add(file);
      while (!commits(tools, "Commit " + file)) {
        System.out.println("the branch moved under " + file);
      }
    }
  }

  /**
   * False where somebody moved the branch without the lock of the index, as the git program does.
   */
  private static boolean commits(GitWorkplace tools, String message) throws Exception {
    try {
      tools.commit(message, true);
      return true;
    } catch (GitException e) {
      if (String.valueOf(e.getMessage()).contains("somebody else changed it meanwhile")) {
        return false;
      }
      throw e;
    }
  }

  private interface Work {
    void run() throws Exception;
  }

  private static void both(Work... works) throws Exception {
    try (ExecutorService pool = Executors.newFixedThreadPool(works.length)) {
      List<Future<?>> all = new ArrayList<>();
      for (Work work : works) {
        all.add(
            pool.submit(
                () -> {
                  work.run();
                  return work;
                }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
  }

  @Test
  void theGitProgramCanWorkAtTheSameTime() throws Exception {
    git.run("checkout", "-q", "file.txt");
    AtomicInteger refused = new AtomicInteger();
    both(
        () -> commits(new GitWorkplace(root, repository), repository, "ours"),
        () -> {
          for (int i = 0; i < 8; i++) {
            Files.writeString(repository.resolve("theirs" + i), "theirs\n");
            while (!works("add", "theirs" + i) || !works("commit", "-qm", "T", "--allow-empty")) {
              refused.incrementAndGet();
            }
          }
        });
    assertEquals(COMMITS + 8 + 1, git.run("ls-tree", "--name-only", "HEAD").lines().count());
    assertEquals("", git.run("status", "--porcelain"));
    assertEquals("", git.run("fsck", "--strict", "--no-dangling"));
  }

  /** git does not wait for a lock. */
  private boolean works(String... arguments) throws IOException, InterruptedException {
    try {
      git.run(arguments);
      return true;
    } catch (AssertionError e) {
      return false;
    }
  }
}
