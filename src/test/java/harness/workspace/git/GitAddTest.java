package harness.workspace.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.workspace.PathException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files are staged as git does it, without running what a repository names. */
class GitAddTest {
  private static final String POINTER =
      "version https://git-lfs.github.com/spec/v1\noid sha256:"
          + "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n";

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
  }

  private Path file(String name, String content) throws IOException {
    Path file = repository.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, content);
  }

  private String staged() throws Exception {
    return git.run("status", "--porcelain");
  }

  private String refused(String... paths) {
    IOException refused = assertThrows(IOException.class, () -> tools.add(paths));
    assertTrue(refused instanceof GitException || refused instanceof PathException);
    return String.valueOf(refused.getMessage());
  }

  @Test
  void filesDirectoriesDeletionsModesAndLinksAreStaged() throws Exception {
    file("src/a.txt", "a\n");
    file("run.sh", "#!/bin/sh\n");
    Files.setPosixFilePermissions(
        repository.resolve("run.sh"), PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.createSymbolicLink(repository.resolve("link"), Path.of("../outside"));
    Files.delete(repository.resolve("file.txt"));
    GitReport report = tools.add(".");
    assertEquals(List.of("D file.txt", "A link", "A run.sh", "A src/a.txt"), report.lines());
    assertEquals("D  file.txt\nA  link\nA  run.sh\nA  src/a.txt\n", staged());
    assertTrue(git.run("ls-files", "-s", "run.sh").startsWith("100755"));
    assertTrue(git.run("ls-files", "-s", "link").startsWith("120000"));
    assertEquals("../outside", git.run("show", ":link"));
    assertEquals(List.of(), tools.add(".").lines());
    assertEquals("", git.run("fsck", "--strict", "--no-dangling"));
  }

  @Test
  void onlyTheNamedPathsAreStaged() throws Exception {
    file("file.txt", "two\n");
    file("a/one.txt", "1\n");
    file("ab/two.txt", "2\n");
    assertEquals(List.of("A a/one.txt"), tools.add("a").lines());
    assertEquals("A  a/one.txt\n M file.txt\n?? ab/\n", staged());
    assertEquals(
        List.of("M file.txt"), tools.add(repository.resolve("file.txt").toString()).lines());
  }

  @Test
  void whatIsIgnoredIsLeftOutUnlessAFileIsNamedByItself() throws Exception {
    file(".gitignore", "*.log\nbuild/\n");
    file("a.log", "log\n");
    file("build/out.o", "o\n");
    file("build/in/deep.o", "o\n");
    assertEquals(List.of("A .gitignore"), tools.add(".").lines());
    assertTrue(refused("build").contains("build is ignored; name the files in it"));
    assertEquals(List.of("A a.log"), tools.add("a.log").lines());
    assertEquals(List.of("A build/in/deep.o"), tools.add("build/in/deep.o").lines());
    file("build/in/deep.o", "changed\n");
    assertEquals(List.of("M build/in/deep.o"), tools.add(".").lines(), "it is tracked by now");
  }

  @Test
  void ofADirectoryThatIsNewWhatIsIgnoredInItIsLeftOut() throws Exception {
    file(".gitignore", "*.log\nbuild/\n");
    file("new/a.txt", "a\n");
    file("new/b.log", "b\n");
    file("new/build/c.txt", "c\n");
    file("new/deep/.gitignore", "d.txt\n");
    file("new/deep/d.txt", "d\n");
    file("new/deep/e.txt", "e\n");
    assertEquals(
        List.of("A new/a.txt", "A new/deep/.gitignore", "A new/deep/e.txt"),
        tools.add("new").lines());
  }

  @Test
  void theExcludeFileOfTheRepositoryIsObeyedToo() throws Exception {
    Files.writeString(repository.resolve(".git/info/exclude"), "*.tmp\n");
    file("x.tmp", "x\n");
    file("sub/y.tmp", "y\n");
    file("sub/.gitignore", "!y.tmp\n");
    assertEquals(List.of("A sub/.gitignore", "A sub/y.tmp"), tools.add(".").lines());
  }

  @Test
  void aPathThatNamesNothingRefusesTheWholeCall() throws Exception {
    file("a.txt", "a\n");
    assertEquals("nothing was added: nope.txt names nothing", refused("a.txt", "nope.txt"));
    assertEquals("?? a.txt\n", staged());
  }

  @Test
  void pathsOutsideTheWorkingDirectoryAreRefusedNamingIt() throws Exception {
    file("sub/a.txt", "a\n");
    GitWorkplace below = new GitWorkplace(root, repository.resolve("sub"));
    for (String path : List.of("..", "../file.txt", "/etc/passwd", "../sub/../file.txt")) {
      PathException refused = assertThrows(PathException.class, () -> below.add(path));
      assertEquals(PathException.Kind.OUTSIDE, refused.kind());
      String message = String.valueOf(refused.getMessage());
      assertTrue(message.contains(repository.resolve("sub").toString()), message);
    }
    assertEquals(List.of("A a.txt"), below.add("../sub/a.txt").lines());
    assertEquals("A  sub/a.txt\n", staged());
  }

  @Test
  void gitsOwnFilesAreNoFilesToStage() {
    for (String path : List.of(".git", ".git/config", "sub/../.git/hooks/pre-commit", ".GIT/x")) {
      assertTrue(refused(path).contains("is git's own"), path);
    }
  }

  @Test
  void aPathThroughALinkIsRefused() throws Exception {
    file("dir/a.txt", "a\n");
    Files.createSymbolicLink(repository.resolve("link"), Path.of("dir"));
    assertTrue(refused("link/a.txt").contains("goes through link, which is no directory"));
    assertEquals(List.of("A link"), tools.add("link").lines());
  }

  @Test
  void aPointerOfLfsStaysOneAndAnythingElseUnderAFilterIsRefused() throws Exception {
    file(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n*.x filter=secret\n");
    file("small.bin", POINTER);
    GitReport report = tools.add("small.bin", ".gitattributes");
    assertEquals(List.of("A .gitattributes", "A small.bin"), report.lines());
    assertEquals(List.of("small.bin: a pointer of git LFS, and stays one"), report.notes());
    assertEquals(POINTER, git.run("show", ":small.bin"));
    file("large.bin", "large\n");
    file("key.x", "key\n");
    String message = refused(".");
    assertTrue(message.contains("large.bin has the attribute filter=lfs"), message);
    assertTrue(message.contains("key.x has the attribute filter=secret"), message);
    assertTrue(message.contains("git add in the shell"), message);
    assertEquals("A  .gitattributes\nA  small.bin\n?? key.x\n?? large.bin\n", staged());
  }

  @Test
  void aFileUnderAFilterThatDidNotChangeIsNoReasonToRefuse() throws Exception {
    file("large.bin", "as it is\n");
    git.run("add", "large.bin");
    git.run("commit", "-qm", "Large");
    file(".gitattributes", "*.bin filter=lfs\n");
    Files.setLastModifiedTime(repository.resolve("large.bin"), FileTime.fromMillis(0));
    assertEquals(List.of("A .gitattributes"), tools.add(".").lines());
  }

  @Test
  void attributesThatAreNotAppliedHereAreRefusedByName() throws Exception {
    file(".gitattributes", "a ident\nb working-tree-encoding=UTF-16\n");
    file("a", "$Id$\n");
    file("b", "b\n");
    String message = refused("a", "b");
    assertTrue(message.contains("a has the attribute ident"), message);
    assertTrue(message.contains("b has the attribute working-tree-encoding"), message);
  }

  @Test
  void lineEndsBecomeWhatAttributesAndConfigurationAskFor() throws Exception {
    git.run("config", "core.autocrlf", "input");
    file("dos.txt", "a\r\nb\r\n");
    GitReport report = tools.add("dos.txt");
    assertEquals(List.of("dos.txt: its CRLF are LF in git"), report.notes());
    assertEquals("a\nb\n", git.run("show", ":dos.txt"));
    git.run("config", "core.safecrlf", "true");
    file("two.txt", "a\r\n");
    assertTrue(refused("two.txt").contains("core.safecrlf"));
  }

  @Test
  void aLargeFileIsStagedInPieces() throws Exception {
    byte[] large = new byte[3 * 1024 * 1024 + 7];
    new java.util.Random(5).nextBytes(large);
    Files.write(repository.resolve("large"), large);
    Files.writeString(repository.resolve("large.txt"), "a line of it\r\n".repeat(200_000));
    file(".gitattributes", "*.txt text\n");
    tools.add(".");
    assertEquals(git.run("hash-object", "large"), git.run("rev-parse", ":large"));
    assertEquals(
        git.run("hash-object", "--path=large.txt", "large.txt"),
        git.run("rev-parse", ":large.txt"));
    assertEquals("", git.run("fsck", "--strict", "--no-dangling"));
  }

  @Test
  void ofASubmoduleTheCommitThatItIsAtIsStaged() throws Exception {
    Path other = GitProgramFixture.committed(root.resolve("other"), "other");
    git.run("submodule", "add", "-q", other.toString(), "sub");
    git.run("commit", "-qm", "Submodule");
    GitProgram sub = new GitProgram(repository.resolve("sub"));
    sub.run("commit", "-q", "--allow-empty", "-m", "Moved on");
    assertEquals(List.of("M sub"), tools.add(".").lines());
    assertEquals(sub.run("rev-parse", "HEAD"), git.run("rev-parse", ":sub"));
    assertTrue(refused("sub/file.txt").contains("lies in sub, a repository of its own"));
    GitWorkplace inner = new GitWorkplace(root, repository.resolve("sub"));
    Files.writeString(repository.resolve("sub/new.txt"), "new\n");
    assertEquals(List.of("A new.txt"), inner.add(".").lines());
    inner.commit("In the submodule");
    assertEquals("", sub.run("status", "--porcelain"));
    git.run("submodule", "deinit", "-q", "-f", "sub");
    assertEquals(List.of(), tools.add(".").lines(), "one that is not checked out is no deletion");
  }

  @Test
  void aRepositoryThatIsNoSubmoduleIsLeftOut() throws Exception {
    GitProgramFixture.committed(repository.resolve("clone"), "clone");
    file("a.txt", "a\n");
    GitReport report = tools.add(".");
    assertEquals(List.of("A a.txt"), report.lines());
    assertTrue(report.notes().getFirst().startsWith("clone was left out"), report.toString());
    assertTrue(refused("clone").contains("is a repository of its own"));
  }

  @Test
  void whatTheIndexIsToldNotToLookAtStays() throws Exception {
    file("kept.txt", "kept\n");
    file("valid.txt", "valid\n");
    git.run("add", ".");
    git.run("commit", "-qm", "Two");
    git.run("update-index", "--skip-worktree", "kept.txt");
    git.run("update-index", "--assume-unchanged", "valid.txt");
    Files.delete(repository.resolve("kept.txt"));
    Files.delete(repository.resolve("valid.txt"));
    file("new.txt", "new\n");
    assertEquals(List.of("A new.txt"), tools.add(".").lines());
    assertEquals("S kept.txt\n", git.run("ls-files", "-t", "kept.txt"));
    assertEquals("h valid.txt\n", git.run("ls-files", "-v", "valid.txt"));
  }

  @Test
  void aConflictIsResolvedByAdding() throws Exception {
    git.run("checkout", "-qb", "side");
    file("file.txt", "side\n");
    git.run("commit", "-qam", "Side");
    git.run("checkout", "-q", "main");
    file("file.txt", "main\n");
    git.run("commit", "-qam", "Main");
    assertThrows(AssertionError.class, () -> git.run("merge", "side"));
    assertEquals("UU file.txt\n", staged());
    file("file.txt", "both\n");
    GitReport report = tools.add("file.txt");
    assertEquals(List.of("M file.txt"), report.lines());
    assertEquals(List.of("file.txt: its conflict counts as resolved"), report.notes());
    assertEquals("M  file.txt\n", staged());
  }

  @Test
  void aConflictThatIsDeletedIsResolvedOnce() throws Exception {
    git.run("checkout", "-qb", "side");
    file("file.txt", "side\n");
    git.run("commit", "-qam", "Side");
    git.run("checkout", "-q", "main");
    file("file.txt", "main\n");
    git.run("commit", "-qam", "Main");
    assertThrows(AssertionError.class, () -> git.run("merge", "side"));
    Files.delete(repository.resolve("file.txt"));
    assertEquals(List.of("D file.txt"), tools.add(".").lines());
    assertEquals("D  file.txt\n", staged());
  }

  @Test
  void whatWasOnlyIntendedIsStaged() throws Exception {
    file("later.txt", "later\n");
    git.run("add", "-N", "later.txt");
    assertEquals(List.of("A later.txt"), tools.add(".").lines());
    assertEquals("A  later.txt\n", staged());
  }

  @Test
  void aChangeThatOnlyTheOldIndexMadeDoubtfulIsSeenByTheNewOneToo() throws Exception {
    git.run("config", "core.trustctime", "false");
    FileTime then = FileTime.from(Instant.parse("2026-01-02T03:04:05.678Z"));
    Path racy = file("racy.txt", "one\n");
    Files.setLastModifiedTime(racy, then);
    git.run("add", "racy.txt");
    git.run("commit", "-qm", "Racy");
    // Of the same size and time, and the index of that time too: only its content tells.
    file("racy.txt", "two\n");
    Files.setLastModifiedTime(racy, then);
    Files.setLastModifiedTime(repository.resolve(".git/index"), then);
    file("other.txt", "other\n");
    assertEquals(List.of("A other.txt"), tools.add("other.txt").lines());
    assertEquals("A  other.txt\n M racy.txt\n", staged());
  }

  @Test
  void aNameThatIsNoUtf8IsStagedLikeAnyOther() throws Exception {
    shell("mkdir dir && printf 'odd\\n' > \"dir/$(printf 'na\\357ve')\"");
    assertEquals(List.of("A dir/na\\xEFve"), tools.add(".").lines());
    assertTrue(staged().startsWith("A  dir/na"), staged());
    shell("printf 'more\\n' > \"dir/$(printf 'na\\357ve')\"");
    assertEquals(1, tools.add("dir/na\\xEFve").lines().size());
    tools.commit("Odd");
    assertEquals("", staged());
    shell("rm dir/na*");
    assertEquals(List.of("restored dir/na\\xEFve"), tools.restore("dir").lines());
    assertEquals("", staged());
  }

  private void shell(String command) throws Exception {
    Process shell =
        new ProcessBuilder("sh", "-c", command).directory(repository.toFile()).inheritIO().start();
    assertEquals(0, shell.waitFor());
  }

  @Test
  void aFileThatReplacesADirectoryAndTheOtherWayRound() throws Exception {
    file("d/e/f", "f\n");
    git.run("add", ".");
    git.run("commit", "-qm", "Deep");
    Files.delete(repository.resolve("d/e/f"));
    Files.delete(repository.resolve("d/e"));
    Files.delete(repository.resolve("d"));
    file("d", "now a file\n");
    tools.add("d");
    assertEquals("A  d\nD  d/e/f\n", staged());
    Files.delete(repository.resolve("d"));
    file("d/e/f", "back\n");
    tools.add("d/e/f");
    assertEquals("M  d/e/f\n", staged());
  }
}
