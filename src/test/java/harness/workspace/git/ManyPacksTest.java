package harness.workspace.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.workspace.Descriptors;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A repository of many packs is read with few files open. */
class ManyPacksTest {
  private static final int PACKS = 40;

  /** The directories of a repository and its root. */
  private static final int DIRECTORIES = 16;

  private Path base;
  private Path repository;
  private GitProgram git;

  @BeforeEach
  void makeARepository(@TempDir Path temporary) throws Exception {
    base = temporary.toRealPath();
    repository = GitProgramFixture.committed(base.resolve("repo"), "one");
    git = new GitProgram(repository);
    for (int i = 0; i < PACKS; i++) {
      Files.writeString(repository.resolve("file.txt"), i + "\n");
      git.run("-c", "gc.auto=0", "commit", "-qam", "Commit " + i);
      git.run("repack", "-dq");
    }
  }

  @Test
  void allOfThemAreReadAndFewAreOpen() throws Exception {
    try (GitView view = GitView.open(base, repository)) {
      assertEquals(PACKS + 1, view.log(GitView.MAX_COMMITS, Optional.empty()).commits().size());
      for (int i = 0; i < PACKS; i++) {
        assertTrue(view.show("HEAD~" + i).toString().contains("Commit " + (PACKS - 1 - i)));
      }
      int open = Descriptors.under(base).size();
      assertTrue(open <= OpenFiles.MAX_OPEN + DIRECTORIES, open + " are open");
    }
    assertEquals(0, Descriptors.under(base).size());
  }

  @Test
  void packsThatAnotherGitJoinsMeanwhileAreFoundInTheNewOne() throws Exception {
    try (GitView view = GitView.open(base, repository)) {
      assertEquals(1, view.log(1, Optional.empty()).commits().size());
      git.run("gc", "-q", "--prune=now");
      assertEquals(PACKS + 1, view.log(GitView.MAX_COMMITS, Optional.empty()).commits().size());
    }
  }
}
