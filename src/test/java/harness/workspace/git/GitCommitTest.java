package harness.workspace.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.eclipse.jgit.lib.ObjectId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is staged is committed, such that git agrees. */
class GitCommitTest {
  @TempDir private Path temporary;
  private Path root;
  private Path repository;
  private GitProgram git;
  private GitWorkplace tools;

  @BeforeEach
  void makeARepository() throws Exception {
    root = Files.createDirectory(temporary.toRealPath().resolve("workspace"));
    repository = GitProgramFixture.committed(root.resolve("repo"), "one");
    git = new GitProgram(repository);
    tools = new GitWorkplace(root, repository);
  }

  private void file(String name, String content) throws IOException {
    Path file = repository.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  private String refused(String message) {
    GitException refused = assertThrows(GitException.class, () -> tools.commit(message));
    return String.valueOf(refused.getMessage());
  }

  private void stage(String content) throws Exception {
    file("file.txt", content);
    tools.add("file.txt");
  }

  @Test
  void aCommitIsOneForGit() throws Exception {
    stage("two\n");
    GitReport report = tools.commit("Second\n\nWith a body");
    String id = git.run("rev-parse", "HEAD").strip();
    assertEquals(
        List.of("[main " + id.substring(0, 7) + "] Second", "1 file changed"), report.lines());
    assertEquals(
        "Ada <ada@example.org> 2026-02-03T04:05:06+00:00 Second|With a body\n",
        git.run("log", "-1", "--format=%an <%ae> %cI %s|%b").replaceAll("\n+", "\n"));
    assertEquals("", git.run("status", "--porcelain"));
    assertEquals("", git.run("fsck", "--strict"));
    assertEquals(
        id.substring(0, 7) + " HEAD@{0}: commit: Second\n", git.run("reflog", "-1", "HEAD"));
    assertEquals(
        id.substring(0, 7) + " main@{0}: commit: Second\n", git.run("reflog", "-1", "main"));
  }

  @Test
  void inALinkedWorktreeCommitWorks() throws Exception {
    Path linked = root.resolve("linked");
    git.run("worktree", "add", "-q", "-b", "feature/x", linked.toString());
    GitWorkplace there = new GitWorkplace(root, linked);
    Files.writeString(linked.resolve("file.txt"), "two\n");
    Files.writeString(linked.resolve("new.txt"), "new\n");
    there.add(".");
    GitReport report = there.commit("In the linked one");
    assertTrue(report.lines().getFirst().startsWith("[feature/x "), report.toString());
    GitProgram program = new GitProgram(linked);
    assertEquals("", program.run("status", "--porcelain"));
    assertEquals("", program.run("fsck", "--strict"));
    assertEquals("In the linked one\n", program.run("log", "-1", "--format=%s", "feature/x"));
    assertTrue(program.run("reflog", "-1", "HEAD").contains("commit: In the linked one"));
    assertEquals("Commit of one\n", git.run("log", "-1", "--format=%s", "main"));
    assertEquals("", git.run("status", "--porcelain"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "refs/heads/../../../neighbour",
        "refs/heads/../../../../outside",
        "refs/heads/new/../../../../neighbour",
        "refs/heads//../../../neighbour",
        "refs/heads/main.lock",
        "../neighbour",
      })
  void aHeadThatLeadsToNoRefIsRefusedAndNothingIsWrittenThere(String ref) throws Exception {
    Path neighbour = Files.writeString(root.resolve("neighbour"), "kept\n");
    Path outside = Files.writeString(root.resolveSibling("outside"), "kept\n");
    stage("two\n");
    Files.writeString(repository.resolve(".git/HEAD"), "ref: " + ref + "\n");
    String refused = refused("Elsewhere");
    assertTrue(refused.contains("HEAD leads to '" + ref + "', which is no ref"), refused);
    assertEquals("kept\n", Files.readString(neighbour));
    assertEquals("kept\n", Files.readString(outside));
    assertFalse(Files.exists(repository.resolve(".git/refs/heads/new")));
  }

  @Test
  void theFirstCommitMakesTheBranch() throws Exception {
    Path fresh = root.resolve("fresh");
    GitProgram program = GitProgram.init(fresh);
    GitWorkplace there = new GitWorkplace(root, fresh);
    assertTrue(
        assertThrows(GitException.class, () -> there.commit("Nothing"))
            .toString()
            .contains("nothing is staged"));
    Files.writeString(fresh.resolve("a"), "a\n");
    there.add("a");
    GitReport report = there.commit("First");
    assertTrue(report.lines().getFirst().startsWith("[main (first commit) "), report.toString());
    assertEquals("", program.run("status", "--porcelain"));
    assertEquals("", program.run("fsck", "--strict", "--no-dangling"));
    assertTrue(program.run("reflog").contains("commit (initial): First"));
  }

  @Test
  void aDetachedHeadMovesAndNoBranchDoes() throws Exception {
    String main = git.run("rev-parse", "main");
    git.run("checkout", "-q", "--detach");
    stage("two\n");
    assertTrue(tools.commit("Detached").lines().getFirst().startsWith("[detached HEAD "));
    assertEquals(main, git.run("rev-parse", "main"));
    assertEquals(main, git.run("rev-parse", "HEAD~1"));
    assertEquals("HEAD\n", git.run("rev-parse", "--abbrev-ref", "HEAD"));
  }

  @Test
  void nothingStagedIsNoCommitUnlessItIsMeant() throws Exception {
    file("file.txt", "not staged\n");
    assertTrue(refused("Nothing").contains("nothing is staged"));
    assertEquals("1\n", git.run("rev-list", "--count", "HEAD"));
    tools.commit("Empty", true);
    assertEquals("2\n", git.run("rev-list", "--count", "HEAD"));
    assertEquals(" M file.txt\n", git.run("status", "--porcelain"));
  }

  @Test
  void aMessageIsTidiedAndAnEmptyOneRefused() throws Exception {
    stage("two\n");
    for (String empty : List.of("", " \n\n\t\n", "\r\n")) {
      assertTrue(refused(empty).contains("the message is empty"));
    }
    assertTrue(refused("a\0b").contains("NUL"));
    assertTrue(refused("x".repeat(70_000)).contains("characters"));
    tools.commit("\n\n  Subject  \r\n\n\n\n# kept\nbody \n\n");
    assertEquals(
        "  Subject\n\n# kept\nbody\n", git.run("log", "-1", "--format=%B").stripTrailing() + "\n");
  }

  @Test
  void trailersAreOneBlock() throws Exception {
    String one = "Co-authored-by: coder <coder@agent.invalid>";
    assertEquals("S\n\n" + one + "\n", CommitMessage.of("S", List.of(one)).text());
    assertEquals(
        "S\n\nBody: no trailer\nat all\n\n" + one + "\n",
        CommitMessage.of("S\n\nBody: no trailer\nat all", List.of(one)).text());
    assertEquals(
        "S\n\nFixes: #1\n" + one + "\n", CommitMessage.of("S\n\nFixes: #1\n", List.of(one)).text());
    assertEquals("S\n\n" + one + "\n", CommitMessage.of("S\n\n" + one, List.of(one)).text());
  }

  @Test
  void conflictsAreNamedAndAMergeGetsItsCommit() throws Exception {
    git.run("checkout", "-qb", "side");
    stage("side\n");
    tools.commit("Side");
    git.run("checkout", "-q", "main");
    stage("main\n");
    tools.commit("Main");
    assertThrows(AssertionError.class, () -> git.run("merge", "side"));
    assertTrue(refused("Merged").contains("there are conflicts in file.txt"));
    stage("both\n");
    tools.commit("Merged");
    assertEquals(git.run("rev-parse", "HEAD~1", "side"), git.run("rev-parse", "HEAD^1", "HEAD^2"));
    assertFalse(Files.exists(repository.resolve(".git/MERGE_HEAD")));
    assertFalse(Files.exists(repository.resolve(".git/MERGE_MSG")));
    assertEquals("On branch main\nnothing to commit, working tree clean\n", git.run("status"));
    assertTrue(git.run("reflog", "-1").contains("commit (merge): Merged"));
  }

  @Test
  void aCherryPickThatIsNotFinishedIsLeftToGit() throws Exception {
    git.run("checkout", "-qb", "side");
    stage("side\n");
    tools.commit("Side");
    git.run("checkout", "-q", "main");
    stage("main\n");
    tools.commit("Main");
    assertThrows(AssertionError.class, () -> git.run("cherry-pick", "side"));
    stage("both\n");
    assertTrue(refused("Picked").contains("git cherry-pick --continue"));
  }

  @Test
  void packedRefsAndObjectsAreNoHindrance() throws Exception {
    for (int i = 0; i < 3; i++) {
      stage("content " + i + "\n");
      tools.commit("Commit " + i);
    }
    git.run("gc", "-q");
    assertFalse(Files.exists(repository.resolve(".git/refs/heads/main")));
    stage("after\n");
    tools.commit("After");
    assertEquals("5\n", git.run("rev-list", "--count", "HEAD"));
    assertEquals("", git.run("fsck", "--strict"));
  }

  @Test
  void whatWasOnlyIntendedIsNotCommitted() throws Exception {
    file("later.txt", "later\n");
    git.run("add", "-N", "later.txt");
    stage("two\n");
    tools.commit("Second");
    assertEquals("file.txt\n", git.run("ls-tree", "--name-only", "HEAD"));
    assertEquals(" A later.txt\n", git.run("status", "--porcelain"));
  }

  @Test
  void hooksAndSigningAreSaidNotToBe() throws Exception {
    Path hook = Files.createDirectories(repository.resolve(".git/hooks")).resolve("pre-commit");
    Files.writeString(hook, "#!/bin/sh\nexit 1\n");
    Files.setPosixFilePermissions(hook, PosixFilePermissions.fromString("rwxr-xr-x"));
    git.run("config", "commit.gpgsign", "true");
    git.run("config", "gpg.program", "/bin/false");
    stage("two\n");
    GitReport report = tools.commit("Second");
    assertTrue(report.notes().getFirst().contains("none is signed"), report.toString());
    assertTrue(report.notes().getLast().contains("not run here: pre-commit"), report.toString());
    assertFalse(git.run("cat-file", "-p", "HEAD").contains("gpgsig"));
  }

  @Test
  void theLogOfRefsCanBeSwitchedOff() throws Exception {
    git.run("config", "core.logAllRefUpdates", "false");
    Files.delete(repository.resolve(".git/logs/refs/heads/main"));
    Files.delete(repository.resolve(".git/logs/HEAD"));
    stage("two\n");
    tools.commit("Second");
    assertFalse(Files.exists(repository.resolve(".git/logs/HEAD")));
  }

  @Test
  void aBranchThatMovedMeanwhileIsNotMovedBack() throws Exception {
    try (var view = GitView.open(root, repository)) {
      RefWriter writer =
          new RefWriter(
              view.dirs(),
              view.repository().getConfig(),
              new LockWait(LockWait.USUAL, java.time.Instant::now));
      ObjectId head = ObjectId.fromString(git.run("rev-parse", "HEAD").strip());
      ObjectId stale = ObjectId.fromString("1".repeat(40));
      RefWriter.Step step =
          new RefWriter.Step(
              "refs/heads/main",
              Optional.of(stale),
              head,
              Committing.person(GitWorkplace.ADA),
              "stale");
      GitException refused = assertThrows(GitException.class, () -> writer.take(step, true));
      assertTrue(refused.toString().contains("somebody else changed it"), refused::toString);
      assertFalse(Files.exists(repository.resolve(".git/refs/heads/main.lock")));
    }
  }

  @Test
  void refsThatAreKeptAsATableAreRefusedWithTheMend() throws Exception {
    git.run("config", "core.repositoryformatversion", "1");
    git.run("config", "extensions.refStorage", "reftable");
    assertTrue(refused("x").contains("reftable"));
  }
}
