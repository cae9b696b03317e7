package harness.workspace.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.workspace.PathException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** What leads to a repository of somebody else in the workspace changes nothing in it. */
class BelongingTest {
  @TempDir private Path temporary;
  private Path root;
  private Path other;
  private GitProgram git;
  private Path here;
  private GitWorkplace tools;

  @BeforeEach
  void makeARepositoryOfSomebodyElse() throws Exception {
    root = temporary.toRealPath();
    other = GitProgramFixture.committed(root.resolve("other"), "one");
    git = new GitProgram(other);
    git.run("worktree", "add", "-q", "-b", "linked", root.resolve("linked").toString());
    here = Files.createDirectory(root.resolve("here"));
    Files.writeString(here.resolve("file.txt"), "of somebody else\n");
    tools = new GitWorkplace(root, here);
  }

  private void checkNothingChanges() throws Exception {
    String before = state();
    refused(() -> tools.add("."));
    refused(() -> tools.unstage("."));
    refused(() -> tools.restore("file.txt"));
    refused(() -> tools.commit("Not mine", true));
    refused(() -> tools.branch("not-mine"));
    assertEquals(before, state());
    assertTrue(tools.branches().toString().contains("main"), "it can still be read");
  }

  private String state() throws Exception {
    return git.run("for-each-ref")
        + git.run("ls-files", "-s")
        + new GitProgram(root.resolve("linked")).run("ls-files", "-s")
        + git.run("count-objects");
  }

  private static void refused(Executable change) {
    String told = String.valueOf(assertThrows(PathException.class, change).getMessage());
    assertTrue(told.contains("does not name the worktree"), told);
  }

  @Test
  void byAGitFile() throws Exception {
    Files.writeString(here.resolve(".git"), "gitdir: ../other/.git\n");
    checkNothingChanges();
  }

  @Test
  void byTheGitFileOfAnotherWorktree() throws Exception {
    Files.copy(root.resolve("linked/.git"), here.resolve(".git"));
    checkNothingChanges();
  }

  @Test
  void byALink() throws Exception {
    Files.createSymbolicLink(here.resolve(".git"), Path.of("../other/.git"));
    checkNothingChanges();
  }

  @Test
  void byACommonDirectory() throws Exception {
    GitProgramFixture.committed(root.resolve("mine"), "two");
    Files.move(root.resolve("mine/.git"), here.resolve(".git"));
    Files.writeString(here.resolve(".git/commondir"), "../../other/.git\n");
    Files.writeString(here.resolve(".git/gitdir"), here.resolve(".git") + "\n");
    checkNothingChanges();
  }

  @Test
  void aSubmoduleOfOnesOwnIsCommittedIn() throws Exception {
    Path mine = GitProgramFixture.committed(root.resolve("mine"), "two");
    new GitProgram(mine).run("submodule", "--quiet", "add", other.toString(), "sub");
    Path sub = mine.resolve("sub");
    Files.writeString(sub.resolve("new.txt"), "new\n");
    GitWorkplace there = new GitWorkplace(root, sub);
    there.add(".");
    there.commit("In the submodule");
    assertEquals("", new GitProgram(sub).run("status", "--porcelain"));
  }

  @Test
  void aWorktreeThatWasMovedIsCommittedInWhenItIsRepaired() throws Exception {
    Path moved = Files.move(root.resolve("linked"), root.resolve("moved"));
    Files.writeString(moved.resolve("new.txt"), "new\n");
    GitWorkplace there = new GitWorkplace(root, moved);
    refused(() -> there.add("."));
    new GitProgram(moved).run("worktree", "repair");
    there.add(".");
    there.commit("Moved");
    assertEquals("", new GitProgram(moved).run("status", "--porcelain"));
  }
}
