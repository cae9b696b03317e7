package harness.workspace;

import static harness.workspace.Workbench.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.workspace.PathException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(Adapter.class)
@Timeout(60)
class EntriesTest {
  private final Adapter adapter;

  @TempDir(factory = MemoryDirectory.class)
  Path temporary;

  private Workbench bench;

  EntriesTest(Adapter adapter) {
    this.adapter = adapter;
  }

  @BeforeEach
  void open() throws IOException {
    bench = new Workbench(adapter, temporary);
  }

  @AfterEach
  void close() throws IOException {
    assertEquals(0, Places.OF_PROCESS.size());
    bench.close();
  }

  private void file(String name) throws IOException {
    Path file = bench.cwd.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "in " + name);
  }

  private void link(String at, String target) throws IOException {
    Files.createSymbolicLink(bench.cwd.resolve(at), bench.path(target));
  }

  private Removable.Deleted delete(String path) throws IOException {
    try (Removable entry = bench.root.removable(path)) {
      return entry.delete();
    }
  }

  private boolean there(String path) {
    return Files.exists(bench.cwd.resolve(path), LinkOption.NOFOLLOW_LINKS);
  }

  @Test
  void aFileIsMovedWithItsParentsMade() throws IOException {
    Root.Moved moved = bench.root.move("./file", bench.cwd + "/new/deep/name");
    assertEquals(new Root.Moved("file", "new/deep/name", FileKind.FILE), moved);
    assertEquals("content", bench.read("new/deep/name"));
    assertEquals(List.of("new"), bench.namesIn(bench.cwd));
  }

  @Test
  void aDirectoryIsMovedWithAllThatIsInIt() throws IOException {
    file("d/e/f");
    bench.root.move("d/", "moved/d");
    assertEquals("in d/e/f", bench.read("moved/d/e/f"));
    assertFalse(there("d"));
  }

  @Test
  void aLinkIsMovedItselfWhereverItLeads() throws IOException {
    link("out", bench.outside + "/secret");
    bench.root.move("out", "elsewhere");
    assertTrue(Files.isSymbolicLink(bench.cwd.resolve("elsewhere")));
    assertTrue(Files.exists(bench.outside.resolve("secret")));
  }

  @Test
  void nothingIsMovedOverWhatIsThere() throws IOException {
    file("other");
    Files.createDirectory(bench.cwd.resolve("empty"));
    link("dangling", "gone");
    Map<String, String> before = Workbench.snapshot(bench.base);
    assertRefused(
        Kind.EXISTS,
        "'other' is there already: a file; delete it first, or give another name",
        () -> bench.root.move("file", "other"));
    assertRefused(
        Kind.EXISTS,
        "'empty' is there already: a directory; give the new path in it, or another name",
        () -> bench.root.move("file", "empty"));
    assertRefused(Kind.EXISTS, () -> bench.root.move("empty", "other"));
    assertRefused(Kind.EXISTS, () -> bench.root.move("file", "dangling"));
    assertRefused(Kind.EXISTS, () -> bench.root.move("file", "file"));
    assertEquals(before, Workbench.snapshot(bench.base));
  }

  @Test
  void aDirectoryIsNotMovedIntoItself() throws IOException {
    file("d/f");
    link("alias", "d");
    for (String to : List.of("d/x", "d/new/x", "alias/x", bench.cwd + "/d/x")) {
      assertRefused(
          Kind.INVALID,
          "'" + to + "' lies in 'd', and a directory can't be moved into itself",
          () -> bench.root.move("d", to));
    }
    assertEquals(List.of("f"), bench.namesIn(bench.cwd.resolve("d")));
    bench.root.move("d", "dd");
    assertTrue(there("dd/f"));
  }

  @Test
  void nothingIsMovedOutOrIn() throws IOException {
    link("out", bench.outside.toString());
    link("up", "..");
    Map<String, String> before = Workbench.snapshot(bench.base);
    String leaves = "' leaves the working directory " + bench.cwd + "; writes stay inside it";
    for (String beyond : List.of("../x", bench.work + "/shared", bench.outside + "/x")) {
      assertRefused(Kind.OUTSIDE, "'" + beyond + leaves, () -> bench.root.move("file", beyond));
      assertRefused(Kind.OUTSIDE, "'" + beyond + leaves, () -> bench.root.move(beyond, "x"));
      assertRefused(Kind.OUTSIDE, "'" + beyond + leaves, () -> delete(beyond));
      assertRefused(Kind.OUTSIDE, "'" + beyond + leaves, () -> bench.root.makeDirectory(beyond));
    }
    for (String beyond : List.of("out/secret", "up/x", "out/new/x")) {
      assertRefused(Kind.OUTSIDE, () -> bench.root.move("file", beyond));
      assertRefused(Kind.OUTSIDE, () -> bench.root.move(beyond, "x"));
      assertRefused(Kind.OUTSIDE, () -> delete(beyond));
      assertRefused(Kind.OUTSIDE, () -> bench.root.makeDirectory(beyond + "/new"));
    }
    assertEquals(before, Workbench.snapshot(bench.base));
  }

  @Test
  void theWorkingDirectoryItselfStays() throws IOException {
    Map<String, String> before = Workbench.snapshot(bench.base);
    for (String self : List.of(".", "./", "..", "../b", bench.cwd.toString(), "/", "new/..")) {
      assertRefusedSomehow(() -> delete(self));
      assertRefusedSomehow(() -> bench.root.move(self, "x"));
      assertRefusedSomehow(() -> bench.root.move("file", self));
    }
    assertEquals(before, Workbench.snapshot(bench.base));
    try (Root whole = Root.open(bench.handles, bench.work.toString(), bench.work.toString())) {
      assertRefused(
          Kind.INVALID,
          "'%s' names no entry of a directory by its own name; give the path to that name"
              .formatted(bench.work),
          () -> whole.removable(bench.work.toString()));
    }
  }

  private static void assertRefusedSomehow(Executable does) {
    assertThrows(PathException.class, does);
  }

  @Test
  void whatIsMissingCanBeNeitherMovedNorDeleted() {
    assertRefused(Kind.NOT_FOUND, "'gone' is not there", () -> bench.root.move("gone", "x"));
    assertRefused(Kind.NOT_FOUND, "'gone' is not there", () -> delete("gone"));
    assertRefused(Kind.NOT_FOUND, () -> delete("gone/deep"));
    assertRefused(Kind.NOT_A_DIRECTORY, () -> delete("file/"));
    assertRefused(Kind.NOT_A_DIRECTORY, () -> bench.root.move("file/", "x"));
  }

  @Test
  void aMoveThatFailsLeavesNoDirectoriesBehind() throws IOException {
    file("d/.git/HEAD");
    Map<String, String> before = Workbench.snapshot(bench.base);
    assertRefused(Kind.GIT_OWN, () -> bench.root.move("d", "new/deep/d"));
    assertRefused(Kind.NOT_FOUND, () -> bench.root.move("gone", "new/deep/d"));
    assertEquals(before, Workbench.snapshot(bench.base));
  }

  @Test
  void whatHoldsGitsOwnIsNeitherMovedNorDeleted() throws IOException {
    file("repository/.git/config");
    file("deep/in/worktree/.git");
    file("bare/HEAD");
    file("bare/objects/x");
    file("bare/refs/x");
    file("holds/bare.git/HEAD");
    file("holds/bare.git/commondir");
    Map<String, String> before = Workbench.snapshot(bench.base);
    assertRefused(
        Kind.GIT_OWN,
        "'deep' holds git's own (deep/in/worktree/.git): git knows repositories and worktrees by"
            + " their places, so file tools neither move nor delete them; do it by a command",
        () -> bench.root.move("deep", "x"));
    for (String path : List.of("repository", "deep", "bare", "holds")) {
      assertRefused(Kind.GIT_OWN, () -> bench.root.move(path, "x"));
      assertRefused(Kind.GIT_OWN, () -> delete(path));
    }
    for (String path : List.of("repository/.git", "repository/.git/config", "bare/HEAD")) {
      assertRefused(Kind.GIT_OWN, () -> bench.root.move(path, "x"));
      assertRefused(Kind.GIT_OWN, () -> delete(path));
      assertRefused(Kind.GIT_OWN, () -> bench.root.move("file", path));
    }
    assertRefused(Kind.GIT_OWN, () -> bench.root.move("file", "new/.GIT/x"));
    assertRefused(Kind.GIT_OWN, () -> bench.root.makeDirectory("new/.git"));
    assertEquals(before, Workbench.snapshot(bench.base));
  }

  @Test
  void noMoveCompletesAGitDirectory() throws IOException {
    file("d/HEAD");
    file("d/refs/x");
    file("o/x");
    assertRefused(Kind.GIT_OWN, () -> bench.root.move("o", "d/objects"));
    assertRefused(Kind.GIT_OWN, () -> bench.root.move("file", "d/commondir"));
    assertRefused(Kind.GIT_OWN, () -> bench.root.makeDirectory("d/objects"));
    assertRefused(Kind.GIT_OWN, () -> bench.root.makeDirectory("d/objects/deeper"));
    assertEquals(List.of("HEAD", "refs"), bench.namesIn(bench.cwd.resolve("d")));
  }

  @Test
  void aFileALinkAndADirectoryAreDeleted() throws IOException {
    file("d/e/f");
    file("d/g");
    link("d/out", bench.outside.toString());
    link("toFile", "file");
    assertEquals(new Removable.Deleted(1, 0), delete("toFile"));
    assertEquals("content", bench.read("file"));
    assertEquals(new Removable.Deleted(1, 0), delete("file"));
    assertEquals(new Removable.Deleted(3, 2), delete("d/"));
    assertEquals(List.of(), bench.namesIn(bench.cwd));
    assertEquals("secret", Files.readString(bench.outside.resolve("secret")));
  }

  @Test
  void aLinkToADirectoryIsDeletedAloneAndOneWithASlashNot() throws IOException {
    file("d/f");
    link("alias", "d");
    assertRefused(Kind.NOT_A_DIRECTORY, () -> delete("alias/"));
    delete("alias");
    assertEquals("in d/f", bench.read("d/f"));
  }

  @Test
  void moreThanTheMostEntriesAreNotDeleted() throws IOException {
    Path many = Files.createDirectories(bench.cwd.resolve("many/below"));
    for (int i = 0; i < Removable.MAX_DELETED; i++) {
      Files.createFile(many.resolve("f" + i));
    }
    assertRefused(
        Kind.TOO_MUCH,
        "'many' has more than 10000 entries below it, more than one call takes; take its parts one"
            + " by one, or do it by a command",
        () -> delete("many"));
    assertEquals(Removable.MAX_DELETED, bench.namesIn(many).size());
    assertEquals(new Removable.Deleted(Removable.MAX_DELETED, 1), delete("many/below"));
  }

  @Test
  void aDirectoryIsMadeWithItsParentsAndIsThenThereAlready() throws IOException {
    assertEquals(Optional.of("x/y/z"), bench.root.makeDirectory("x/./y/z/"));
    assertTrue(Files.isDirectory(bench.cwd.resolve("x/y/z")));
    assertEquals(Optional.empty(), bench.root.makeDirectory("x/y"));
    assertEquals(Optional.empty(), bench.root.makeDirectory("."));
    link("alias", "x");
    assertEquals(Optional.of("x/new"), bench.root.makeDirectory("alias/new"));
    assertRefused(
        Kind.EXISTS,
        "'file' is there already: a file; delete it first, or give another name",
        () -> bench.root.makeDirectory("file"));
    assertRefused(Kind.NOT_A_DIRECTORY, () -> bench.root.makeDirectory("file/x"));
  }
}
