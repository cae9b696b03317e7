package harness.workspace.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.workspace.PathException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files become what is staged again, and the index what HEAD has. */
class GitRestoreTest {
  private static final String POINTER =
      "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";

  @TempDir private Path temporary;
  private Path root;
  private Path repository;
  private GitProgram git;
  private GitWorkplace tools;

  @BeforeEach
  void makeARepository() throws Exception {
    root = temporary.toRealPath();
    repository = GitProgramFixture.committed(root.resolve("repo"), "one");
    git = new GitProgram(repository);
    tools = new GitWorkplace(root, repository);
    file("src/deep/a.txt", "a\n");
    file("run.sh", "#!/bin/sh\n");
    mode("run.sh", "rwxr-xr-x");
    Files.createSymbolicLink(repository.resolve("link"), Path.of("src"));
    git.run("add", ".");
    git.run("commit", "-qm", "More");
  }

  private Path file(String name, String content) throws IOException {
    Path file = repository.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, content);
  }

  private void mode(String name, String mode) throws IOException {
    Files.setPosixFilePermissions(repository.resolve(name), PosixFilePermissions.fromString(mode));
  }

  private String mode(String name) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(repository.resolve(name)));
  }

  private String refused(String... paths) {
    IOException refused = assertThrows(IOException.class, () -> tools.restore(paths));
    assertTrue(refused instanceof GitException || refused instanceof PathException);
    return String.valueOf(refused.getMessage());
  }

  @Test
  void deletedFilesChangedModesAndLinksComeBack() throws Exception {
    Files.delete(repository.resolve("src/deep/a.txt"));
    Files.delete(repository.resolve("src/deep"));
    Files.delete(repository.resolve("src"));
    Files.delete(repository.resolve("link"));
    Files.writeString(repository.resolve("link"), "a file now");
    mode("run.sh", "rw-r-----");
    file("file.txt", "changed\n");
    file("untracked", "stays\n");
    GitReport report = tools.restore(".");
    assertEquals(
        List.of("restored file.txt", "restored link", "restored run.sh", "restored src/deep/a.txt"),
        report.lines());
    assertEquals("?? untracked\n", git.run("status", "--porcelain"));
    assertEquals("src", Files.readSymbolicLink(repository.resolve("link")).toString());
    assertEquals("rwxr-x---", mode("run.sh"), "what others may not, they still may not");
    assertEquals(List.of(), tools.restore(".").lines());
    try (var names = Files.list(repository)) {
      assertFalse(names.anyMatch(name -> name.toString().endsWith(".tmp")));
    }
  }

  @Test
  void aFileIsTakenFromTheIndexAndNotFromHead() throws Exception {
    file("file.txt", "staged\n");
    git.run("add", "file.txt");
    file("file.txt", "changed\n");
    tools.restore("file.txt");
    assertEquals("staged\n", Files.readString(repository.resolve("file.txt")));
    assertEquals("M  file.txt\n", git.run("status", "--porcelain"));
  }

  @Test
  void theIndexBecomesWhatHeadHas() throws Exception {
    file("file.txt", "staged\n");
    file("new.txt", "new\n");
    Files.delete(repository.resolve("run.sh"));
    git.run("add", "-A");
    GitReport report = tools.unstage(".");
    assertEquals(
        List.of(
            "as in HEAD again: file.txt", "no longer staged: new.txt", "as in HEAD again: run.sh"),
        report.lines());
    assertEquals(" M file.txt\n D run.sh\n?? new.txt\n", git.run("status", "--porcelain"));
    assertEquals(List.of(), tools.unstage(".").lines());
    IOException nothing = assertThrows(IOException.class, () -> tools.unstage("nope"));
    assertEquals(
        "nothing was restored: nope is neither in the index nor in HEAD", nothing.getMessage());
  }

  @Test
  void beforeTheFirstCommitAllIsUnstaged() throws Exception {
    Path fresh = root.resolve("fresh");
    GitProgram git = GitProgram.init(fresh);
    Files.writeString(fresh.resolve("a"), "a\n");
    git.run("add", "a");
    assertEquals(
        List.of("no longer staged: a"), new GitWorkplace(root, fresh).unstage(".").lines());
    assertEquals("?? a\n", git.run("status", "--porcelain"));
  }

  @Test
  void pathsOutsideTheWorkingDirectoryAreRefusedNamingIt() throws Exception {
    Path src = repository.resolve("src");
    file("file.txt", "changed\n");
    GitWorkplace below = new GitWorkplace(root, src);
    for (String path : List.of("../file.txt", "..", "/etc/passwd")) {
      PathException refused = assertThrows(PathException.class, () -> below.restore(path));
      assertTrue(String.valueOf(refused.getMessage()).contains(src.toString()));
      assertThrows(PathException.class, () -> below.unstage(path));
    }
    Files.delete(src.resolve("deep/a.txt"));
    assertEquals(List.of("restored deep/a.txt"), below.restore(".").lines());
    assertEquals("changed\n", Files.readString(repository.resolve("file.txt")));
  }

  @Test
  void aDirectoryThatBecameALinkIsNotWrittenThrough() throws Exception {
    Path outside = Files.createDirectories(root.resolve("outside/deep"));
    Files.delete(repository.resolve("src/deep/a.txt"));
    Files.delete(repository.resolve("src/deep"));
    Files.delete(repository.resolve("src"));
    Files.createSymbolicLink(repository.resolve("src"), outside.getParent());
    String message = refused("src/deep/a.txt");
    assertTrue(message.contains("goes through src, which is no directory now"), message);
    assertTrue(refused(".").contains("goes through src"));
    assertFalse(Files.exists(outside.resolve("a.txt"), LinkOption.NOFOLLOW_LINKS));
  }

  @Test
  void aDirectoryInThePlaceOfAFileIsNotRemoved() throws Exception {
    Files.delete(repository.resolve("file.txt"));
    file("file.txt/mine", "mine\n");
    assertTrue(refused("file.txt").contains("file.txt is a directory now"));
    assertEquals("mine\n", Files.readString(repository.resolve("file.txt/mine")));
  }

  @Test
  void whatIsNoPathOfGitIsRefusedAndNothingDone() throws Exception {
    file("file.txt", "changed\n");
    assertTrue(refused("file.txt", "nope").contains("nope is nothing that git knows"));
    assertEquals("changed\n", Files.readString(repository.resolve("file.txt")));
    assertTrue(refused(".git/config").contains("is git's own"));
  }

  @Test
  void aConflictIsNotRestoredOver() throws Exception {
    git.run("checkout", "-qb", "side");
    file("file.txt", "side\n");
    git.run("commit", "-qam", "Side");
    git.run("checkout", "-q", "main");
    file("file.txt", "main\n");
    git.run("commit", "-qam", "Main");
    assertThrows(AssertionError.class, () -> git.run("merge", "side"));
    assertTrue(refused(".").contains("file.txt is in a conflict"));
    tools.unstage("file.txt");
    assertEquals(" M file.txt\n", git.run("status", "--porcelain"));
    tools.restore("file.txt");
    assertEquals("main\n", Files.readString(repository.resolve("file.txt")));
  }

  @Test
  void lineEndsAreWhatTheAttributesAskFor() throws Exception {
    file(".gitattributes", "*.txt text eol=crlf\n");
    git.run("add", ".");
    git.run("commit", "-qm", "Attributes");
    Files.delete(repository.resolve("file.txt"));
    tools.restore("file.txt");
    assertEquals("one\r\n", Files.readString(repository.resolve("file.txt")));
    assertEquals("", git.run("status", "--porcelain"));
  }

  @Test
  void aPointerOfLfsIsRestoredAsOneAndNothingElseUnderAFilterIs() throws Exception {
    file("p.bin", POINTER);
    file("plain.x", "cipher\n");
    git.run("add", ".");
    git.run("commit", "-qm", "Filtered");
    file(".gitattributes", "*.bin filter=lfs\n*.x filter=secret\n");
    git.run("add", ".");
    Files.delete(repository.resolve("p.bin"));
    GitReport report = tools.restore("p.bin");
    assertTrue(report.notes().getFirst().contains("git lfs pull"), report.toString());
    assertEquals(POINTER, Files.readString(repository.resolve("p.bin")));
    file("p.bin", "the large content\n");
    assertTrue(refused("p.bin").contains("would become the pointer"));
    Files.delete(repository.resolve("plain.x"));
    assertTrue(refused("plain.x").contains("has the attribute filter=secret"));
    assertFalse(Files.exists(repository.resolve("plain.x")));
  }

  @Test
  void anIndexThatNamesGitsOwnFilesWritesNone() throws Exception {
    String blob = git.run("rev-parse", "HEAD:run.sh").strip();
    for (String path : List.of("bare/hooks/post-checkout", "bare/config")) {
      git.run("update-index", "--add", "--cacheinfo", "100755", blob, path);
    }
    for (String name : List.of("bare/objects", "bare/refs")) {
      Files.createDirectories(repository.resolve(name));
    }
    file("bare/HEAD", "ref: refs/heads/main\n");
    String message = refused("bare");
    assertTrue(message.contains("is git's own"), message);
    assertFalse(Files.exists(repository.resolve("bare/config")));
  }
}
