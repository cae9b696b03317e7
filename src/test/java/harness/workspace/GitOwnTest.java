package harness.workspace;

import static harness.workspace.Workbench.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.workspace.PathException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(Adapter.class)
class GitOwnTest {
  private final Adapter adapter;

  @TempDir(factory = MemoryDirectory.class)
  Path temporary;

  private Workbench bench;

  GitOwnTest(Adapter adapter) {
    this.adapter = adapter;
  }

  @BeforeEach
  void open() throws IOException {
    bench = new Workbench(adapter, temporary);
  }

  @AfterEach
  void close() throws IOException {
    bench.close();
  }

  private void gitDirectory(Path at) throws IOException {
    Files.createDirectories(at.resolve("objects"));
    Files.createDirectories(at.resolve("refs/heads"));
    Files.writeString(at.resolve("HEAD"), "ref: refs/heads/main");
    Files.writeString(at.resolve("config"), "[core]");
  }

  private void assertOutOfReach(String path) throws IOException {
    Map<String, String> before = Workbench.snapshot(bench.base);
    assertRefused(Kind.GIT_OWN, () -> bench.read(path));
    assertRefused(Kind.GIT_OWN, () -> bench.write(path, "no"));
    assertRefused(Kind.GIT_OWN, () -> bench.root.status(path));
    assertRefused(Kind.GIT_OWN, () -> bench.root.directory(path));
    assertEquals(before, Workbench.snapshot(bench.base));
  }

  @Test
  void theGitDirectoryOfARepositoryIsOutOfReach() throws IOException {
    gitDirectory(bench.cwd.resolve(".git"));
    gitDirectory(bench.cwd.resolve("inner/.git"));
    Files.createSymbolicLink(bench.cwd.resolve("innocent"), bench.path(".git/config"));
    Files.createSymbolicLink(bench.cwd.resolve("hooks"), bench.cwd.resolve(".git"));
    for (String path :
        List.of(
            ".git",
            ".git/config",
            ".git/hooks/pre-commit",
            "inner/.git/config",
            "./.git/../.git/config",
            bench.cwd + "/.git/config",
            "innocent",
            "hooks/config",
            "hooks/hooks/post-checkout")) {
      assertOutOfReach(path);
    }
    assertRefused(
        Kind.GIT_OWN,
        "'.git/config' is git's own (.git), which file tools don't touch; use the git tools",
        () -> bench.read(".git/config"));
  }

  @Test
  void itsNameMayBeWrittenInAnyCase() throws IOException {
    Files.createDirectory(bench.cwd.resolve("inner"));
    for (String path : List.of(".GIT/config", ".Git", "inner/.giT/hooks/x")) {
      assertRefused(Kind.GIT_OWN, () -> bench.write(path, "no"));
      assertRefused(Kind.GIT_OWN, () -> bench.read(path));
    }
  }

  @Test
  void otherNamesThatStartLikeItAreFiles() throws IOException {
    bench.write(".gitignore", "1");
    bench.write(".github/workflow", "2");
    bench.write("x.git/file", "3");
    assertEquals("1", bench.read(".gitignore"));
    assertEquals("2", bench.read(".github/workflow"));
    assertEquals("3", bench.read("x.git/file"));
  }

  @Test
  void theGitFileOfALinkedWorktreeIsOutOfReach() throws IOException {
    Path admin = bench.work.resolve("default/store/worktrees/b");
    Files.createDirectories(admin);
    Files.writeString(admin.resolve("HEAD"), "ref: refs/heads/b");
    Files.writeString(admin.resolve("commondir"), "../..");
    Files.writeString(bench.cwd.resolve(".git"), "gitdir: " + admin);
    assertOutOfReach(".git");
    assertOutOfReach(admin + "/HEAD");
    assertOutOfReach(admin + "/config.worktree");
    assertOutOfReach(admin.toString());
  }

  @Test
  void aBareRepositoryOfAnyNameIsOutOfReach() throws IOException {
    gitDirectory(bench.cwd.resolve("mirror"));
    assertOutOfReach("mirror");
    assertOutOfReach("mirror/config");
    assertOutOfReach("mirror/hooks/update");
    assertOutOfReach("mirror/refs/heads/main");
    try (Directory directory = bench.root.directory(".")) {
      assertRefused(Kind.GIT_OWN, () -> directory.directory("mirror"));
    }
  }

  @Test
  void aWriteDoesNotTurnADirectoryIntoAGitDirectory() throws IOException {
    bench.write("fake/objects/x", "");
    bench.write("fake/refs/x", "");
    assertRefused(
        Kind.GIT_OWN,
        "'fake/HEAD' would make a git directory of the one it lies in, and file tools don't touch"
            + " those; use another name than 'HEAD'",
        () -> bench.write("fake/HEAD", "no"));
    bench.write("other/HEAD", "");
    bench.write("other/refs/x", "");
    assertRefused(Kind.GIT_OWN, () -> bench.write("other/objects/x", "no"));
    assertRefused(Kind.GIT_OWN, () -> bench.write("other/commondir", "no"));
    assertEquals(List.of("HEAD", "refs"), bench.namesIn(bench.cwd.resolve("other")));
  }

  @Test
  void aDirectoryShowsItAndDoesNotOpenIt() throws IOException {
    gitDirectory(bench.cwd.resolve(".git"));
    try (Directory directory = bench.root.directory(".")) {
      List<String> names = new ArrayList<>();
      directory.entries().forEachRemaining(entry -> names.add(entry.name()));
      assertTrue(names.contains(".git"));
      assertRefused(Kind.GIT_OWN, () -> directory.directory(".git"));
      assertRefused(Kind.GIT_OWN, () -> directory.file(".git"));
      assertRefused(Kind.GIT_OWN, () -> directory.status(".GIT"));
    }
  }

  @Test
  void noTurnWorksInAGitDirectory() throws IOException {
    gitDirectory(bench.cwd.resolve(".git"));
    gitDirectory(bench.work.resolve("mirror"));
    for (String cwd :
        List.of(bench.cwd + "/.git", bench.work + "/mirror", bench.work + "/mirror/refs")) {
      assertRefused(
          Kind.GIT_OWN, () -> Root.checkDirectory(bench.handles, bench.work.toString(), cwd));
    }
    assertRefused(
        Kind.GIT_OWN,
        () ->
            Root.checkDirectory(
                bench.handles, bench.work + "/mirror", bench.work + "/mirror/refs"));
  }
}
