package harness.workspace.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Branches are listed and made, and never checked out. */
class GitBranchTest {
  @TempDir private Path temporary;
  private Path root;
  private Path repository;
  private GitProgram git;
  private GitWorkplace tools;
  private String tip = "";

  @BeforeEach
  void makeARepository() throws Exception {
    root = temporary.toRealPath();
    repository = GitProgramFixture.committed(root.resolve("repo"), "one");
    git = new GitProgram(repository);
    tools = new GitWorkplace(root, repository);
    tip = git.run("rev-parse", "--short", "HEAD").strip() + " Commit of one";
  }

  private String refused(String name, String... from) {
    GitException refused = assertThrows(GitException.class, () -> tools.branch(name, from));
    return String.valueOf(refused.getMessage());
  }

  @Test
  void theListMarksWhatIsCheckedOutHereAndElsewhere() throws Exception {
    Path linked = root.resolve("linked");
    git.run("branch", "free");
    git.run("worktree", "add", "-q", "-b", "feature/x", linked.toString());
    git.run("pack-refs", "--all");
    assertEquals(
        List.of("+ feature/x (in " + linked + ") " + tip, "  free " + tip, "* main " + tip),
        tools.branches().lines());
    assertEquals(
        List.of("* feature/x " + tip, "  free " + tip, "+ main (in the main worktree) " + tip),
        new GitWorkplace(root, linked).branches().lines());
    git.run("checkout", "-q", "--detach");
    assertEquals("* (HEAD is detached) " + tip, tools.branches().lines().getFirst());
  }

  @Test
  void aBranchWithoutACommitIsListedAsThat() throws Exception {
    Path fresh = root.resolve("fresh");
    GitProgram.init(fresh);
    GitWorkplace there = new GitWorkplace(root, fresh);
    assertEquals(List.of("* main (no commit yet)"), there.branches().lines());
    GitException refused = assertThrows(GitException.class, () -> there.branch("x"));
    assertTrue(refused.toString().contains("no commit yet"), refused::toString);
  }

  @Test
  void aBranchIsMadeAndNothingCheckedOut() throws Exception {
    Files.writeString(repository.resolve("file.txt"), "two\n");
    git.run("commit", "-qam", "Second");
    git.run("tag", "-a", "v1", "-m", "A tag", "HEAD~1");
    tools.branch("feature/x");
    tools.branch("old", "v1");
    assertEquals(git.run("rev-parse", "HEAD"), git.run("rev-parse", "feature/x"));
    assertEquals(git.run("rev-parse", "HEAD~1"), git.run("rev-parse", "old"));
    assertEquals("main\n", git.run("rev-parse", "--abbrev-ref", "HEAD"));
    assertEquals("", git.run("fsck", "--strict"));
    assertTrue(git.run("reflog", "old").contains("branch: Created from v1"));
  }

  @Test
  void namesFollowGitsRules() throws Exception {
    for (String name :
        List.of(
            "",
            "-x",
            "a..b",
            "a b",
            "a~",
            "a^",
            "a:",
            "a?",
            "a*",
            "a[",
            "a\\",
            "/a",
            "a/",
            "a//b",
            "a.lock",
            ".a",
            "a.",
            "a/.b",
            "@",
            "HEAD",
            "a@{1}",
            "a\u0007",
            "../../hooks/x")) {
      assertTrue(refused(name).contains("is no name for a branch"), name);
    }
    tools.branch("größe");
    assertTrue(git.run("branch").contains("größe"));
  }

  @Test
  void aNameThatIsTooLongLeavesNoDirectories() {
    assertTrue(refused("deep/".repeat(300) + "x").contains("too long for a branch"));
    assertFalse(Files.exists(repository.resolve(".git/refs/heads/deep")));
  }

  @Test
  void whatIsThereAlreadyIsSaid() throws Exception {
    assertTrue(refused("main").contains("the branch main exists already"));
    assertTrue(refused("main/sub").contains("the branch main exists"));
    git.run("branch", "a/b");
    git.run("pack-refs", "--all");
    assertTrue(refused("a").contains("the branch a/b exists"));
    assertTrue(refused("x", "nope").contains("nope names no commit"));
    assertTrue(refused("x", "HEAD:file.txt").contains("names no commit"));
  }

  @Test
  void whatIsLeftOfADeletedBranchIsNoHindrance() throws Exception {
    Files.createDirectories(repository.resolve(".git/refs/heads/a"));
    Files.createDirectories(repository.resolve(".git/logs/refs/heads/a"));
    tools.branch("a");
    assertEquals(git.run("rev-parse", "main"), git.run("rev-parse", "a"));
  }
}
