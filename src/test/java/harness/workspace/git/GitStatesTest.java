package harness.workspace.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The states that a repository can be in, each compared with what the git program prints. */
class GitStatesTest {
  @TempDir private Path temporary;
  private Path root;
  private Path repository;
  private GitProgram git;

  @BeforeEach
  void make() throws Exception {
    root = temporary.toRealPath();
    repository = root.resolve("repo");
    git = GitProgram.init(repository);
  }

  private void write(String name, String content) throws Exception {
    Path file = repository.resolve(name);
    Files.createDirectories(file.resolveSibling("."));
    Files.writeString(file, content);
  }

  private void commit(String message) throws Exception {
    git.run("add", "-A");
    git.run("commit", "-q", "--allow-empty", "-m", message);
  }

  private List<String> compare(Path cwd) throws Exception {
    GitProgram there = new GitProgram(cwd);
    try (GitView view = GitView.open(root, cwd)) {
      GitStatus status = view.status();
      List<String> lines = new ArrayList<>(List.of("## " + status.branch()));
      lines.addAll(status.lines());
      assertEquals(there.run("status", "--porcelain", "-b").lines().toList(), lines);
      lines.set(0, "## " + status.branch());
      List<String> shown = new ArrayList<>(List.of("## " + status.branch()));
      shown.addAll(view.lines(status));
      assertEquals(there.run("status", "--short", "-b").lines().toList(), shown);
      assertEquals(there.run("diff", "--ours"), view.diff(DiffQuery.WORKTREE).text());
      assertEquals(there.run("diff", "--cached"), view.diff(DiffQuery.STAGED).text());
      return lines;
    }
  }

  @Test
  void anUnbornBranch() throws Exception {
    assertEquals(List.of("## No commits yet on main"), compare(repository));
    write("a", "1\n");
    compare(repository);
    git.run("add", "a");
    compare(repository);
    try (GitView view = GitView.open(root, repository)) {
      assertEquals(List.of(), view.log(5, Optional.empty()).commits());
      assertEquals(Optional.of("main"), view.branch());
    }
  }

  @Test
  void aDetachedHead() throws Exception {
    write("a", "1\n");
    commit("First");
    git.run("checkout", "-q", "--detach");
    assertEquals(List.of("## HEAD (no branch)"), compare(repository));
    try (GitView view = GitView.open(root, repository)) {
      assertEquals(Optional.empty(), view.branch());
    }
  }

  @Test
  void everyKindOfConflict() throws Exception {
    for (String name : List.of("uu", "du", "ud", "dd", "same")) {
      write(name, "base of " + name + "\nline\n");
    }
    commit("Base");
    git.run("checkout", "-q", "-b", "other");
    write("uu", "theirs\nline\n");
    write("du", "theirs\nline\n");
    write("aa", "theirs\n");
    Files.delete(repository.resolve("ud"));
    Files.move(repository.resolve("dd"), repository.resolve("ua-renamed"));
    commit("Theirs");
    git.run("checkout", "-q", "main");
    write("uu", "ours\nline\n");
    write("ud", "ours\nline\n");
    write("aa", "ours\n");
    Files.delete(repository.resolve("du"));
    Files.move(repository.resolve("dd"), repository.resolve("au-renamed"));
    commit("Ours");
    Process merge =
        new ProcessBuilder("git", "-c", "user.name=A", "-c", "user.email=a@b", "merge", "other")
            .directory(repository.toFile())
            .redirectErrorStream(true)
            .start();
    merge.getInputStream().readAllBytes();
    assertTrue(merge.waitFor() != 0, "the merge must conflict");
    String lines = String.join("\n", compare(repository));
    for (String code : List.of("UU uu", "DU du", "UD ud", "AA aa", "DD dd", "AU ", "UA ")) {
      assertTrue(lines.contains(code), lines);
    }
  }

  @Test
  void aBranchThatFollowsAnother() throws Exception {
    write("a", "1\n");
    commit("First");
    Path clone = root.resolve("clone");
    new GitProgram(root).run("clone", "-q", repository.toString(), clone.toString());
    compare(clone);
    commit("Upstream");
    GitProgram there = new GitProgram(clone);
    there.run("commit", "-q", "--allow-empty", "-m", "Local");
    compare(clone);
    there.run("fetch", "-q");
    assertEquals("## main...origin/main [ahead 1, behind 1]", compare(clone).getFirst());
    there.run("update-ref", "-d", "refs/remotes/origin/main");
    assertEquals("## main...origin/main [gone]", compare(clone).getFirst());
    there.run("pack-refs", "--all");
    there.run("gc", "-q");
    compare(clone);
  }

  @Test
  void aWorkingDirectoryBelowTheTop() throws Exception {
    write("a", "1\n");
    write("sub/b", "1\n");
    write("sub/deep/c", "1\n");
    commit("First");
    write("a", "2\n");
    write("sub/b", "2\n");
    write("sub/new/x", "");
    write("other new/x", "");
    compare(repository.resolve("sub"));
    compare(repository.resolve("sub/deep"));
  }

  @Test
  void renamesAndFilesThatBecomeDirectories() throws Exception {
    write("a", "one\ntwo\nthree\n");
    write("dir/x", "ex\n");
    write("file", "file\n");
    commit("First");
    git.run("mv", "a", "moved to");
    write("moved to", "one\ntwo\nthree\nfour\n");
    Files.delete(repository.resolve("file"));
    write("file/inner", "inner\n");
    Files.delete(repository.resolve("dir/x"));
    Files.delete(repository.resolve("dir"));
    write("dir", "now a file\n");
    try (GitView view = GitView.open(root, repository)) {
      // git does not list what lies where it knows a file; whoever works here wants to know.
      List<String> lines = view.status().lines();
      assertEquals("?? file/", lines.getLast());
      List<String> rest = lines.subList(0, lines.size() - 1);
      assertEquals(git.run("status", "--porcelain").lines().toList(), rest);
    }
    git.run("add", "-A");
    compare(repository);
  }

  @Test
  void ignoredUntrackedAndIntended() throws Exception {
    write(".gitignore", "*.log\n/build/\n!keep.log\n");
    write("x/.gitignore", "inner\n");
    write("build/tracked", "1\n");
    git.run("add", "-f", "build/tracked");
    commit("First");
    write("build/untracked", "");
    write("build/tracked", "2\n");
    write("a.log", "");
    write("keep.log", "");
    write("x/inner", "");
    write("y/only.log", "");
    write("z/some.log", "");
    write("z/other", "");
    Files.createDirectories(repository.resolve("empty"));
    write("intended", "soon\n");
    write(".git/info/exclude", "excluded\n");
    write("excluded", "");
    git.run("add", "-N", "intended");
    compare(repository);
    git.run("update-index", "--assume-unchanged", "build/tracked");
    compare(repository);
    git.run("rm", "-q", "--cached", "x/.gitignore");
    compare(repository);
  }

  @Test
  void aRepositoryInARepositoryAndASubmodule() throws Exception {
    write("a", "1\n");
    commit("First");
    GitProgramFixture.committed(repository.resolve("nested"), "nested");
    GitProgramFixture.committed(repository.resolve("untracked/deep"), "deep");
    Path library = GitProgramFixture.committed(root.resolve("library"), "library");
    git.run("submodule", "add", "-q", library.toString(), "sub");
    compare(repository);
    git.run("add", "sub", ".gitmodules");
    git.run("commit", "-qm", "Submodule");
    compare(repository);
    GitProgram sub = new GitProgram(repository.resolve("sub"));
    write("sub/untracked", "");
    compare(repository);
    write("sub/file.txt", "changed\n");
    assertEquals(List.of("## main", " M sub"), compare(repository).subList(0, 2));
    try (GitView view = GitView.open(root, repository)) {
      assertEquals(git.run("diff", "--stat"), view.diff(stat(DiffQuery.WORKTREE)).text());
    }
    sub.run("commit", "-q", "--allow-empty", "-m", "On");
    compare(repository);
    for (String ignore : List.of("untracked", "dirty", "all", "none")) {
      git.run("config", "-f", ".gitmodules", "submodule.sub.ignore", ignore);
      compare(repository);
    }
    git.run("config", "submodule.sub.ignore", "dirty");
    compare(repository);
    sub.run("checkout", "-q", "--", ".");
    Files.delete(repository.resolve("sub/untracked"));
    compare(repository);
    compare(repository.resolve("sub"));
    git.run("submodule", "deinit", "-q", "-f", "sub");
    compare(repository);
  }

  @Test
  void linesThatEndAsOnWindows() throws Exception {
    write(".gitattributes", "*.txt text\n*.bin -diff\n*.raw diff\n");
    write("a.txt", "one\r\ntwo\r\n");
    write("b", "one\r\ntwo\r\n");
    write("c.bin", "one\n");
    write("d.raw", "one\0\n");
    commit("First");
    write("a.txt", "one\ntwo\n");
    // Its size is another, so status lists it; its content is the same, so diff shows nothing.
    assertEquals(List.of("## main", " M a.txt"), compare(repository));
    write("a.txt", "one\r\nthree\r\n");
    write("b", "one\r\nthree\r\n");
    write("c.bin", "two\n");
    write("d.raw", "two\0\n");
    compare(repository);
    git.run("config", "core.autocrlf", "true");
    write("e", "one\r\n");
    git.run("add", "e");
    write("e", "one\r\ntwo\r\n");
    compare(repository);
  }

  @Test
  void revisionsAndPathsAreComparedAsGitDoes() throws Exception {
    write("a", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    write("src/b.c", "int f(void)\n{\n  a;\n  b;\n  c;\n  d;\n  e;\n}\n");
    commit("First");
    write("src/b.c", "int f(void)\n{\n  a;\n  b;\n  c;\n  d;\n  E;\n}\n");
    commit("Second");
    git.run("mv", "a", "src/a");
    commit("Third");
    write("src/a", "1\n2\n3\n4\n5\n6\n7\n8\nnine\n");
    try (GitView view = GitView.open(root, repository.resolve("src"))) {
      assertEquals(git.run("diff", "HEAD~2", "HEAD"), view.diff(query("HEAD~2", "HEAD")).text());
      // How alike two files are, each program measures in its own way.
      assertEquals(
          git.run("diff", "HEAD~2").replaceAll("similarity index \\d+", "similarity index"),
          view.diff(query("HEAD~2", ""))
              .text()
              .replaceAll("similarity index \\d+", "similarity index"));
      assertEquals(
          git.run("diff", "--stat", "HEAD~2", "HEAD"),
          view.diff(stat(query("HEAD~2", "HEAD"))).text());
      assertEquals(
          git.run("diff", "HEAD~2", "--", "src/b.c"), view.diff(query("HEAD~2", "", "b.c")).text());
      assertEquals(
          git.run("log", "--format=%s", "--", "src/b.c").lines().toList(),
          view.log(20, Optional.of("b.c")).commits().stream().map(GitLog.Commit::subject).toList());
    }
  }

  @Test
  void aDiffBeyondAllUseIsNotMadeToItsEnd() throws Exception {
    for (int i = 0; i < 8; i++) {
      write("large" + i, (i + " is a line of sixteen\n").repeat(200_000));
    }
    write("huge", "x".repeat(Patch.MAX_BYTES + 1));
    git.run("add", ".");
    try (GitView view = GitView.open(root, repository)) {
      GitDiff diff = view.diff(DiffQuery.STAGED);
      assertFalse(diff.counted());
      assertEquals(9, diff.files());
      assertEquals(GitView.MAX_TEXT_BYTES, diff.text().length());
      String huge = "Files /dev/null and b/huge differ; they are not compared by lines";
      assertTrue(diff.text().contains(huge));
      assertTrue(view.diff(stat(DiffQuery.STAGED)).counted());
    }
  }

  private static DiffQuery query(String from, String to, String... paths) {
    Optional<String> second = to.isEmpty() ? Optional.empty() : Optional.of(to);
    return new DiffQuery(Optional.of(from), second, false, List.of(paths), false);
  }

  private static DiffQuery stat(DiffQuery query) {
    return new DiffQuery(query.from(), query.to(), query.staged(), query.paths(), true);
  }

  @Test
  void everyFormOfTheIndexThatGitWrites() throws Exception {
    for (String name : List.of("a", "b/c", "b/d/e", "b/d/f", "b.d/g", "b-d", "z")) {
      write(name, name + "\n");
    }
    commit("First");
    write("b/d/e", "changed\n");
    write("new", "\n");
    for (String version : List.of("4", "3", "2")) {
      git.run("update-index", "--index-version", version);
      assertEquals(List.of("## main", " M b/d/e", "?? new"), compare(repository));
    }
    git.run("update-index", "--untracked-cache");
    git.run("config", "index.threads", "2");
    git.run("add", "-N", "new");
    compare(repository);
    git.run("update-index", "--split-index");
    assertTrue(refused().contains("git update-index --no-split-index"), refused());
    git.run("update-index", "--no-split-index");
    git.run("sparse-checkout", "init", "--cone", "--sparse-index");
    assertTrue(refused().contains("--no-sparse-index"), refused());
    git.run("sparse-checkout", "reapply", "--no-sparse-index");
    compare(repository);
  }

  private String refused() {
    GitException refused =
        assertThrows(
            GitException.class,
            () -> {
              try (GitView view = GitView.open(root, repository)) {
                view.status();
              }
            });
    return String.valueOf(refused.getMessage());
  }

  /** The index remembers what the system says of a file, which is not enough at the same moment. */
  @Test
  void aFileThatChangedUnseenSinceItWasAddedIsReadAgain() throws Exception {
    git.run("config", "core.trustctime", "false");
    FileTime moment = FileTime.from(Instant.parse("2026-01-02T03:04:05.006007008Z"));
    Path file = repository.resolve("a");
    write("a", "one\n");
    Files.setLastModifiedTime(file, moment);
    git.run("add", "a");
    git.run("commit", "-qm", "First");
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap("two\n".getBytes(StandardCharsets.US_ASCII)));
    }
    Files.setLastModifiedTime(file, moment);
    // Long after, nothing tells that there is anything to read; git sees it just as little.
    FileTime later = FileTime.from(moment.toInstant().plusSeconds(60));
    Files.setLastModifiedTime(repository.resolve(".git/index"), later);
    try (GitView view = GitView.open(root, repository)) {
      assertEquals(List.of(), view.status().lines());
    }
    Files.setLastModifiedTime(repository.resolve(".git/index"), moment);
    assertEquals(List.of("## main", " M a"), compare(repository));
  }

  @Test
  void namesThatAreNoUtf8() throws Exception {
    run("printf 1 > \"$(printf 'bad\\377')\"; mkdir \"$(printf 'd\\376')\"");
    run("printf 1 > \"$(printf 'd\\376/in')\"; printf 1 > \"$(printf 'x \\375')\"");
    try (GitView view = GitView.open(root, repository)) {
      assertEquals(List.of("?? bad\\xFF", "?? d\\xFE/", "?? \"x \\xFD\""), view.status().lines());
    }
    commit("First");
    run("printf 2 > \"$(printf 'bad\\377')\"; printf 2 > \"$(printf 'd\\376/in')\"");
    try (GitView view = GitView.open(root, repository)) {
      assertEquals(List.of(" M bad\\xFF", " M d\\xFE/in"), view.status().lines());
      DiffQuery one =
          new DiffQuery(Optional.empty(), Optional.empty(), false, List.of("d\\xFE"), false);
      String diff = view.diff(one).text();
      assertTrue(diff.contains("+++ b/d\\xFE/in\n") && !diff.contains("bad"), diff);
      assertEquals(1, view.log(5, Optional.of("d\\xFE/in")).commits().size());
      assertEquals(0, view.log(5, Optional.of("d\\xFD/in")).commits().size());
    }
  }

  private void run(String script) throws Exception {
    ProcessBuilder builder = new ProcessBuilder("sh", "-c", script).directory(repository.toFile());
    assertEquals(0, builder.inheritIO().start().waitFor());
  }

  @Test
  void aPointerOfGitLfsStandsForItsFile() throws Exception {
    String content = "large content\n";
    String digest =
        HexFormat.of()
            .formatHex(
                MessageDigest.getInstance("SHA-256")
                    .digest(content.getBytes(StandardCharsets.US_ASCII)));
    String pointer =
        "version https://git-lfs.github.com/spec/v1\noid sha256:" + digest + "\nsize 14\n";
    write(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n");
    write("a.bin", pointer);
    write("b.bin", pointer);
    commit("First");
    write("a.bin", content);
    write("b.bin", "other content\n");
    try (GitView view = GitView.open(root, repository)) {
      GitDiff diff = view.diff(DiffQuery.WORKTREE);
      assertEquals(List.of("b.bin"), diff.filtered());
      assertTrue(diff.text().contains("-oid sha256:" + digest + "\n+oid sha256:"), diff.text());
      assertFalse(diff.text().contains("content"), diff.text());
      assertEquals(2, view.status().filtered());
    }
  }
}
