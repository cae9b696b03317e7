package harness.workspace.git;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a revision names is shown as git shows it. */
class GitShowTest {
  @TempDir private Path temporary;
  private Path root;
  private Path repository;
  private GitProgram git;

  @BeforeEach
  void makeARepository() throws Exception {
    root = temporary.toRealPath();
    repository = GitProgramFixture.committed(root.resolve("repo"), "one");
    git = new GitProgram(repository);
    Files.createDirectories(repository.resolve("src/deep"));
    Files.writeString(repository.resolve("src/deep/a.txt"), "a\n");
    Files.writeString(repository.resolve("src/b c.txt"), "b\n");
    Files.writeString(repository.resolve("file.txt"), "two\n");
    git.run("add", ".");
    git.run("commit", "-qm", "Second\n\nWith a body\n\n  indented");
  }

  private GitShow show(Path cwd, String revision) throws Exception {
    try (GitView view = GitView.open(root, cwd)) {
      return view.show(revision);
    }
  }

  private GitShow show(String revision) throws Exception {
    return show(repository, revision);
  }

  private static String text(GitShow show) {
    GitShow.Thing.Commit commit = assertInstanceOf(GitShow.Thing.Commit.class, show.thing());
    List<String> lines = new ArrayList<>(show.tags());
    lines.addAll(commit.header());
    return String.join("\n", lines) + "\n" + commit.diff().text();
  }

  @Test
  void commitsAreShownAsGitShowsThem() throws Exception {
    git.run("tag", "light");
    for (String revision : List.of("HEAD", "HEAD~1", "main", "light")) {
      // git indents the empty lines of a message too.
      String expected = git.run("show", revision).replaceAll("(?m)^    $", "");
      assertEquals(expected, text(show(revision)), revision);
    }
  }

  @Test
  void anAnnotatedTagIsShownWithWhatItNames() throws Exception {
    git.run("tag", "-a", "v1", "-m", "Release\n\nwith notes", "HEAD~1");
    assertEquals(git.run("show", "v1"), text(show("v1")));
  }

  @Test
  void aMergeIsShownAgainstItsFirstParent() throws Exception {
    git.run("checkout", "-qb", "side", "HEAD~1");
    Files.writeString(repository.resolve("side.txt"), "side\n");
    git.run("add", ".");
    git.run("commit", "-qm", "Side");
    git.run("checkout", "-q", "main");
    git.run("merge", "-q", "-m", "Merged", "side");
    GitShow.Thing.Commit commit =
        assertInstanceOf(GitShow.Thing.Commit.class, show("HEAD").thing());
    assertEquals(2, commit.parents());
    assertEquals(git.run("diff", "HEAD~1", "HEAD"), commit.diff().text());
    assertTrue(git.run("show", "HEAD").contains(commit.header().get(1)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Ada <ada@example.org> 99999999999999999999999 +0000",
        "Ada <ada@example.org> 9223372036854775807 +0000",
        "Ada <ada@example.org> 1 +9999",
        "Ada <ada@example.org> -1 -9999",
        "Ada <ada@example.org>",
        "Ada",
        "",
      })
  void oneCommitThatSaysNonsenseOfItsAuthorHidesNoOther(String author) throws Exception {
    Path raw = root.resolve("raw");
    Files.writeString(
        raw,
        "tree "
            + git.run("rev-parse", "HEAD^{tree}").strip()
            + "\nparent "
            + git.run("rev-parse", "HEAD").strip()
            + ("\nauthor " + author + "\ncommitter " + author + "\n\nNonsense\n"));
    String id = git.run("hash-object", "-t", "commit", "-w", "--literally", raw.toString()).strip();
    git.run("update-ref", "refs/heads/main", id);
    String shown = text(show("HEAD"));
    assertTrue(shown.contains("    Nonsense"), shown);
    assertTrue(!author.contains(">") || shown.contains("Author: Ada <ada@example.org>\n"), shown);
    assertTrue(shown.matches("(?s).*\nDate:   Thu Jan 1 00:00:0[01] 1970 .*"), shown);
    try (GitView view = GitView.open(root, repository)) {
      assertEquals(
          List.of("Nonsense", "Second", "Commit of one"),
          view.log(10, Optional.empty()).commits().stream().map(GitLog.Commit::subject).toList());
      assertFalse(view.blame("file.txt", 1, 1, Instant::now).lines().isEmpty());
    }
  }

  @Test
  void aDirectoryIsListed() throws Exception {
    for (String revision : List.of("HEAD:src", "HEAD:src/", "HEAD:./src", "HEAD^{tree}:src")) {
      GitShow.Thing.Tree tree =
          assertInstanceOf(GitShow.Thing.Tree.class, show(revision).thing(), revision);
      assertEquals(List.of("b c.txt", "deep/"), tree.names());
    }
    GitShow.Thing.Tree top = assertInstanceOf(GitShow.Thing.Tree.class, show("HEAD:").thing());
    assertEquals(List.of("file.txt", "src/"), top.names());
  }

  @Test
  void aFileIsShownAsARevisionHasIt() throws Exception {
    Path src = repository.resolve("src");
    assertEquals("one\n", blob(repository, "HEAD~1:file.txt"));
    assertEquals("two\n", blob(src, "HEAD:file.txt"));
    assertEquals("two\n", blob(src, "HEAD:../file.txt"));
    assertEquals("b\n", blob(src, "HEAD:./b c.txt"));
    assertEquals("a\n", blob(src, git.run("rev-parse", "HEAD:src/deep/a.txt").strip()));
  }

  private String blob(Path cwd, String revision) throws Exception {
    GitShow.Thing.Blob blob =
        assertInstanceOf(GitShow.Thing.Blob.class, show(cwd, revision).thing());
    assertEquals(blob.bytes(), blob.head().length);
    return new String(blob.head(), StandardCharsets.UTF_8);
  }

  @Test
  void ofALargeFileItsBeginningIsKept() throws Exception {
    byte[] large = new byte[GitView.MAX_TEXT_BYTES + 1000];
    new java.util.Random(2).nextBytes(large);
    Files.write(repository.resolve("large"), large);
    git.run("add", ".");
    GitShow.Thing.Blob blob =
        assertInstanceOf(
            GitShow.Thing.Blob.class, show(git.run("rev-parse", ":large").strip()).thing());
    assertEquals(large.length, blob.bytes());
    assertArrayEquals(java.util.Arrays.copyOf(large, GitView.MAX_TEXT_BYTES), blob.head());
  }

  @Test
  void whatNamesNothingIsRefused() {
    for (String odd :
        List.of(
            "nope",
            "HEAD:nope",
            "0123456789012345678901234567890123456789",
            "HEAD~9",
            "-x",
            "",
            ":",
            "HEAD:../../x",
            "HEAD^{",
            "@{-1}",
            "a b",
            "HEAD:/etc/passwd",
            "refs/heads/../../config",
            "--output=/tmp/x")) {
      GitException refused = assertThrows(GitException.class, () -> show(odd), odd);
      String message = String.valueOf(refused.getMessage());
      assertTrue(message.contains("names nothing") || message.contains("leads out"), message);
    }
  }
}
