package harness.workspace.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each line is said to come with the commit that git says it comes with. */
class GitBlameTest {
  private static final InstantSource STILL = () -> Instant.EPOCH;

  @TempDir private Path temporary;
  private Path root;
  private Path repository;
  private GitProgram git;

  @BeforeEach
  void makeARepository() throws Exception {
    root = temporary.toRealPath();
    repository = GitProgramFixture.committed(root.resolve("repo"), "one");
    git = new GitProgram(repository);
    commit("one\ntwo\nthree\n");
    commit("zero\none\ntwo\nTHREE\n");
    commit("zero\none\nTWO\nTHREE\nfour\n");
  }

  private void commit(String content) throws Exception {
    Files.writeString(repository.resolve("file.txt"), content);
    git.run("commit", "-qam", "Write " + content.length());
  }

  private GitBlame blame(String path, int from, int to) throws Exception {
    return blame(path, from, to, STILL);
  }

  private GitBlame blame(String path, int from, int to, InstantSource clock) throws Exception {
    try (GitView view = GitView.open(root, repository)) {
      return view.blame(path, from, to, clock);
    }
  }

  private List<String> ids(GitBlame blame) {
    List<String> ids = new ArrayList<>();
    for (GitBlame.Line line : blame.lines()) {
      ids.add(line.origin().map(GitLog.Commit::id).orElse("0".repeat(40)));
    }
    return ids;
  }

  private List<String> ofGit(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("blame", "--line-porcelain"));
    all.addAll(List.of(arguments));
    return git.run(all.toArray(String[]::new))
        .lines()
        .filter(line -> line.matches("[0-9a-f]{40} .*"))
        .map(line -> line.substring(0, 40))
        .toList();
  }

  @Test
  void theLinesOfAFileAreThoseOfGit() throws Exception {
    GitBlame blame = blame("file.txt", 1, 100);
    assertEquals(ofGit("file.txt"), ids(blame));
    assertEquals(5, blame.all());
    assertEquals("TWO", blame.lines().get(2).text());
    assertEquals("Ada", blame.lines().get(2).origin().orElseThrow().author());
    assertTrue(blame.known());
  }

  @Test
  void linesThatAreNotCommittedAreMarked() throws Exception {
    Files.writeString(repository.resolve("file.txt"), "new\nzero\none\nTWO\nTHREE\nfour\n!\n");
    GitBlame blame = blame("file.txt", 1, 100);
    assertEquals(ofGit("file.txt"), ids(blame));
    assertTrue(blame.lines().getFirst().origin().isEmpty());
    assertTrue(blame.known());
  }

  @Test
  void aRangeIsShownAlone() throws Exception {
    GitBlame blame = blame("file.txt", 2, 3);
    assertEquals(ofGit("-L2,3", "file.txt"), ids(blame));
    assertEquals(List.of(2, 3), blame.lines().stream().map(GitBlame.Line::number).toList());
    assertThrows(GitException.class, () -> blame("file.txt", 6, 7));
  }

  @Test
  void aRenamedFileIsFollowed() throws Exception {
    git.run("mv", "file.txt", "moved.txt");
    git.run("commit", "-qm", "Move");
    assertEquals(ofGit("moved.txt"), ids(blame("moved.txt", 1, 100)));
  }

  @Test
  void aDeletedFileIsShownAsHeadHasIt() throws Exception {
    Files.delete(repository.resolve("file.txt"));
    GitBlame blame = blame("file.txt", 1, 100);
    assertTrue(blame.committed());
    assertEquals(ofGit("HEAD", "--", "file.txt"), ids(blame));
  }

  @Test
  void aFileWithCrlfIsComparedAsGitKeepsIt() throws Exception {
    git.run("config", "core.autocrlf", "true");
    Files.writeString(repository.resolve("file.txt"), "zero\r\none\r\nTWO\r\nTHREE\r\nfour\r\n");
    assertEquals(ofGit("file.txt"), ids(blame("file.txt", 1, 100)));
  }

  @Test
  void aFileThatNoCommitHasIsAllNotCommitted() throws Exception {
    Files.writeString(repository.resolve("new.txt"), "a\nb\n");
    GitBlame blame = blame("new.txt", 1, 100);
    assertTrue(blame.lines().stream().allMatch(line -> line.origin().isEmpty()));
    assertTrue(blame.known());
    Files.writeString(repository.resolve("empty.txt"), "");
    assertEquals(List.of(), blame("empty.txt", 1, 100).lines());
  }

  @Test
  void whatHasNoLinesIsRefusedByName() throws Exception {
    Files.writeString(repository.resolve("binary"), "a\0b");
    Files.createSymbolicLink(repository.resolve("link"), Path.of("/etc/passwd"));
    Files.createDirectories(repository.resolve("dir"));
    for (String path : List.of("binary", "link", "dir", "nope", "link/x")) {
      GitException refused = assertThrows(GitException.class, () -> blame(path, 1, 9), path);
      assertTrue(String.valueOf(refused.getMessage()).contains(path), refused.getMessage());
    }
  }

  @Test
  void itEndsWhenItsTimeIsOver() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    // Each look at the clock is ten seconds later.
    InstantSource fast = () -> Instant.EPOCH.plusSeconds(10L * asked.getAndIncrement());
    GitBlame blame = blame("file.txt", 1, 100, fast);
    assertFalse(blame.known());
    assertEquals(5, blame.lines().size());
  }
}
