package harness.workspace.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorktreesTest {
  private static final Signature ADA =
      new Signature("Ada", "ada@example.org", Instant.parse("2026-01-02T03:04:05Z"));

  @TempDir private Path temporary;
  private Path root;
  private Path main;
  private Path linked;

  @BeforeEach
  void resolve() throws Exception {
    root = temporary.toRealPath();
    main = root.resolve("target/default");
    linked = root.resolve("target/feature-x");
  }

  @Test
  void gitAgreesWithARepositoryMadeHere() throws Exception {
    String id =
        Worktrees.create(
            main, "main", Map.of("README.md", "hello\n", "src/naïve name.txt", "x\n"), ADA);
    GitProgram git = new GitProgram(main);
    assertEquals("", git.run("fsck", "--strict", "--full"));
    assertEquals("## main\n", git.run("status", "--porcelain", "-b"));
    assertEquals(
        id + " Ada <ada@example.org> 2026-01-02T03:04:05+00:00 First commit\n",
        git.run("log", "--format=%H %an <%ae> %cI %s"));
    assertEquals("README.md\nsrc/naïve name.txt\n", git.run("ls-files"));
  }

  @Test
  void gitAgreesWithALinkedWorktreeMadeHere() throws Exception {
    Worktrees.create(main, "main", Map.of("README.md", "hello\n", "src/a.txt", "a\n"), ADA);
    Worktrees.add(main, "feature/x", linked);
    assertEquals("hello\n", Files.readString(linked.resolve("README.md")));
    GitProgram git = new GitProgram(linked);
    assertEquals("", git.run("fsck", "--strict"));
    assertEquals("## feature/x\n", git.run("status", "--porcelain", "-b"));
    String head = git.run("rev-parse", "--short", "HEAD").strip();
    String listed = new GitProgram(main).run("worktree", "list").replaceAll(" +", " ");
    assertEquals(main + " " + head + " [main]\n" + linked + " " + head + " [feature/x]\n", listed);
    assertEquals("", new GitProgram(main).run("worktree", "prune", "-n", "-v"));
    Files.writeString(linked.resolve("src/a.txt"), "b\n");
    git.run("commit", "-qam", "Change");
    assertEquals("", git.run("status", "--porcelain"));
  }

  @Test
  void aLinkedWorktreeIsReadInItsOwnBranch() throws Exception {
    Worktrees.create(main, "main", Map.of("README.md", "hello\n"), ADA);
    Worktrees.add(main, "feature-x", linked);
    Files.writeString(linked.resolve("README.md"), "changed\n");
    Files.writeString(linked.resolve("new.txt"), "new\n");
    try (GitView view = GitView.open(root, linked);
        GitView other = GitView.open(root, main)) {
      assertEquals(Optional.of("feature-x"), view.branch());
      assertEquals(List.of(" M README.md", "?? new.txt"), view.status().lines());
      assertEquals(new GitProgram(linked).run("diff"), view.diff(DiffQuery.WORKTREE).text());
      assertEquals(List.of(), other.status().lines());
      assertEquals(1, view.log(20, Optional.empty()).commits().size());
    }
  }

  @Test
  void aCommitHereIsOneForGit() throws Exception {
    Worktrees.create(main, "main", Map.of("a", "1\n", "b", "1\n"), ADA);
    Files.delete(main.resolve("b"));
    Files.writeString(main.resolve("a"), "2\n");
    Files.writeString(main.resolve("c"), "3\n");
    Worktrees.commit(main, "Second", ADA);
    GitProgram git = new GitProgram(main);
    assertEquals("", git.run("status", "--porcelain"));
    assertEquals("a\nc\n", git.run("ls-files"));
    assertEquals("Second\nFirst commit\n", git.run("log", "--format=%s"));
  }

  @Test
  void aBranchIsCheckedOutOnce() throws Exception {
    Worktrees.create(main, "main", Map.of("a", "1\n"), ADA);
    assertThrows(GitException.class, () -> Worktrees.add(main, "main", linked));
    Worktrees.add(main, "x", linked);
    GitException refused =
        assertThrows(
            GitException.class, () -> Worktrees.add(main, "x", root.resolve("target/other")));
    assertTrue(
        String.valueOf(refused.getMessage()).contains("checked out already"), refused.getMessage());
  }

  @Test
  void twoWorktreesOfOneNameHaveTheirOwnPlaces() throws Exception {
    Worktrees.create(main, "main", Map.of("a", "1\n"), ADA);
    Worktrees.add(main, "x", root.resolve("one/same"));
    Worktrees.add(main, "y", root.resolve("two/same"));
    assertEquals("", new GitProgram(main).run("worktree", "prune", "-n", "-v"));
    assertEquals("## y\n", new GitProgram(root.resolve("two/same")).run("status", "-sb"));
  }

  @Test
  void whatIsThereIsNotOverwritten() throws Exception {
    Files.createDirectories(main);
    Files.writeString(main.resolve("mine"), "mine");
    assertThrows(GitException.class, () -> Worktrees.create(main, "main", Map.of(), ADA));
    assertThrows(
        GitException.class,
        () -> Worktrees.create(root.resolve("z"), "main", Map.of("../out", "x"), ADA));
    assertThrows(
        GitException.class, () -> Worktrees.create(root.resolve("y"), "a..b", Map.of(), ADA));
  }
}
