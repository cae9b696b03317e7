package harness.workspace.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.workspace.FaultyHandles;
import harness.workspace.FaultyHandles.Step;
import harness.workspace.Handles;
import harness.workspace.Root;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A change that the system cuts off leaves a repository that git can read and that works on. */
class FailedChangeTest {
  private static final CommitOrder ORDER =
      new CommitOrder("Second", List.of(), GitWorkplace.ADA, GitWorkplace.ADA, false);

  @TempDir private Path temporary;
  private final FaultyHandles handles = new FaultyHandles(Handles.system(new Random(9)));
  private Path repository;
  private GitProgram git;

  @BeforeEach
  void makeARepository() throws Exception {
    repository = GitProgramFixture.committed(temporary.toRealPath().resolve("repo"), "one");
    git = new GitProgram(repository);
    Files.writeString(repository.resolve("file.txt"), "two\n");
    Files.writeString(repository.resolve("new.txt"), "new\n");
  }

  private interface Use {
    GitReport with(GitChanges changes) throws IOException, InterruptedException;
  }

  private GitReport use(Use use) throws IOException, InterruptedException {
    String cwd = repository.toString();
    try (Root root = Root.open(handles, String.valueOf(repository.getParent()), cwd);
        GitChanges changes = GitChanges.open(root, Instant::now)) {
      return use.with(changes);
    }
  }

  private String fails(Step step, Use use) {
    IOException refused =
        assertThrows(
            IOException.class,
            () ->
                use(
                    changes -> {
                      handles.fail(
                          step, new FileSystemException("x", null, "no space left on the device"));
                      return use.with(changes);
                    }));
    handles.fail(Step.NONE, new IOException("none"));
    return String.valueOf(refused.getMessage());
  }

  private void checkReadable(String status) throws Exception {
    assertEquals(status, git.run("status", "--porcelain"));
    assertEquals("", git.run("fsck", "--strict", "--no-dangling"));
    try (Stream<Path> all = Files.walk(repository)) {
      List<Path> left =
          all.filter(
                  path ->
                      path.toString().endsWith(".lock")
                          || path.toString().contains("tmp_obj_")
                          || path.toString().endsWith(".tmp"))
              .toList();
      assertEquals(List.of(), left);
    }
    assertEquals(0, handles.open());
  }

  @ParameterizedTest
  @EnumSource(names = {"CREATE", "WRITE", "SYNC", "RENAME"})
  void aFailedAddStagesNothing(Step step) throws Exception {
    String message = fails(step, changes -> changes.add(List.of(".")));
    assertTrue(message.contains("no space left on the device"), message);
    checkReadable(" M file.txt\n?? new.txt\n");
    use(changes -> changes.add(List.of(".")));
    checkReadable("M  file.txt\nA  new.txt\n");
  }

  @ParameterizedTest
  @EnumSource(names = {"CREATE", "WRITE", "SYNC", "RENAME"})
  void aFailedCommitMovesNoBranch(Step step) throws Exception {
    use(changes -> changes.add(List.of(".")));
    String head = git.run("rev-parse", "HEAD");
    String message = fails(step, changes -> changes.commit(ORDER));
    assertTrue(message.contains("no space left on the device"), message);
    assertEquals(head, git.run("rev-parse", "HEAD"));
    checkReadable("M  file.txt\nA  new.txt\n");
    use(changes -> changes.commit(ORDER));
    checkReadable("");
  }

  @ParameterizedTest
  @EnumSource(names = {"CREATE", "WRITE", "SYNC", "RENAME"})
  void aFailedRestoreLeavesTheFileAsItWas(Step step) throws Exception {
    String message = fails(step, changes -> changes.restore(List.of("file.txt")));
    assertTrue(message.contains("no space left on the device"), message);
    assertEquals("two\n", Files.readString(repository.resolve("file.txt")));
    checkReadable(" M file.txt\n?? new.txt\n");
    use(changes -> changes.restore(List.of("file.txt")));
    checkReadable("?? new.txt\n");
  }

  @Test
  void whatAKillLeavesIsRead() throws Exception {
    use(changes -> changes.add(List.of(".")));
    // As a kill between the objects and the branch leaves them.
    Path objects = repository.resolve(".git/objects/ab");
    Files.createDirectories(objects);
    Files.writeString(objects.resolve("tmp_obj_cut"), "half an object");
    Files.writeString(repository.resolve(".git/refs/heads/main.lock"), "");
    assertEquals("M  file.txt\nA  new.txt\n", git.run("status", "--porcelain"));
    assertFalse(git.run("log", "--format=%s").contains("Second"));
    Files.delete(repository.resolve(".git/refs/heads/main.lock"));
    use(changes -> changes.commit(ORDER));
    assertEquals("", git.run("status", "--porcelain"));
    git.run("gc", "-q", "--prune=now");
    assertFalse(Files.exists(objects.resolve("tmp_obj_cut")), "git cleans it away");
  }
}
