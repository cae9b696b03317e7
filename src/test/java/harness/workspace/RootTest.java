package harness.workspace;

import static harness.workspace.Workbench.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.workspace.PathException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(Adapter.class)
class RootTest {
  private final Adapter adapter;

  @TempDir(factory = MemoryDirectory.class)
  Path temporary;

  private Workbench bench;

  RootTest(Adapter adapter) {
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

  private void link(String at, String target) throws IOException {
    Files.createSymbolicLink(bench.cwd.resolve(at), bench.path(target));
  }

  @Test
  void aRelativePathIsInTheWorkingDirectory() throws IOException {
    assertEquals("content", bench.read("file"));
    assertEquals("content", bench.read("./file"));
    assertEquals("content", bench.read("..//b/./file"));
  }

  @Test
  void anAbsolutePathIsReadUnderTheWorkspace() throws IOException {
    assertEquals("shared", bench.read(bench.work + "/shared"));
    assertEquals("shared", bench.read("../../shared"));
    assertEquals("content", bench.read(bench.work + "/a/b/../b//./file"));
  }

  @Test
  void theRootsAreShownByTheirRealPaths() throws IOException {
    Files.createSymbolicLink(bench.base.resolve("alias"), bench.work);
    Files.createSymbolicLink(bench.work.resolve("b"), bench.path("a/b"));
    try (Root root = Root.open(bench.handles, bench.base + "/alias", bench.base + "/alias/b")) {
      assertEquals(bench.work.toString(), root.readRoot());
      assertEquals(bench.cwd.toString(), root.cwd());
    }
  }

  @Test
  void anAbsolutePathMayStartWithTheRootAsConfiguredOrAsItIs() throws IOException {
    Files.createSymbolicLink(bench.base.resolve("alias"), bench.work);
    link("configured", bench.base + "/alias/shared");
    link("real", bench.work + "/shared");
    try (Root root = Root.open(bench.handles, bench.base + "/alias", bench.base + "/alias/a/b")) {
      for (String path :
          List.of(bench.base + "/alias/shared", bench.work + "/shared", "configured", "real")) {
        try (FileHandle file = root.file(path)) {
          assertEquals("shared", Workbench.read(file), path);
        }
      }
    }
  }

  @Test
  void aReadOutsideTheWorkspaceIsRefused() {
    assertRefused(
        Kind.OUTSIDE,
        "'%s/secret' is outside the workspace %s; reads stay inside it"
            .formatted(bench.outside, bench.work),
        () -> bench.read(bench.outside + "/secret"));
    assertRefused(
        Kind.OUTSIDE,
        "'../../../outside/secret' is outside the workspace %s; reads stay inside it"
            .formatted(bench.work),
        () -> bench.read("../../../outside/secret"));
    assertRefused(Kind.OUTSIDE, () -> bench.read("../../../work/shared"));
    assertRefused(Kind.OUTSIDE, () -> bench.read("/"));
    assertRefused(Kind.OUTSIDE, () -> bench.read(bench.work + "space/shared"));
    assertRefused(Kind.OUTSIDE, () -> bench.root.directory("../../.."));
    assertRefused(Kind.OUTSIDE, () -> bench.root.status(bench.outside.toString()));
    assertRefused(Kind.OUTSIDE, () -> bench.root.shown("../../../outside"));
  }

  @Test
  void aLinkThatEndsInsideIsFollowed() throws IOException {
    link("near", "file");
    link("far", "../../shared");
    link("up", "..");
    link("twice", "far");
    link("absolute", bench.work + "/a/b/file");
    assertEquals("content", bench.read("near"));
    assertEquals("shared", bench.read("far"));
    assertEquals("shared", bench.read("twice"));
    assertEquals("content", bench.read("absolute"));
    assertEquals("content", bench.read("up/b/up/b/file"));
    assertEquals("shared", bench.read("up/../shared"));
    assertEquals(FileKind.DIRECTORY, bench.root.status("up").kind());
  }

  @Test
  void aLinkOutOfTheWorkspaceIsRefused() throws IOException {
    link("out", bench.outside + "/secret");
    link("relative", "../../../outside/secret");
    link("directory", bench.outside.toString());
    link("etc", "/etc/passwd");
    link("top", "/");
    assertRefused(
        Kind.OUTSIDE,
        "'out' leads through a link out of the workspace %s; reads stay inside it"
            .formatted(bench.work),
        () -> bench.read("out"));
    assertRefused(Kind.OUTSIDE, () -> bench.read("relative"));
    assertRefused(Kind.OUTSIDE, () -> bench.read("directory/secret"));
    assertRefused(Kind.OUTSIDE, () -> bench.root.directory("directory"));
    assertRefused(Kind.OUTSIDE, () -> bench.read("etc"));
    assertRefused(Kind.OUTSIDE, () -> bench.read("top" + bench.work + "/shared"));
  }

  @Test
  void linksInCirclesEnd() throws IOException {
    link("one", "two");
    link("two", "one");
    link("self", "self/x");
    assertRefused(
        Kind.LINK_LOOP,
        "'one' goes through more than 40 links; they lead in circles, so name the file itself",
        () -> bench.read("one"));
    assertRefused(Kind.LINK_LOOP, () -> bench.read("self"));
    assertRefused(Kind.LINK_LOOP, () -> bench.read("self/deeper"));
  }

  @Test
  void fortyLinksAreFollowedAndNotOneMore() throws IOException {
    link("link1", "file");
    for (int i = 2; i <= 41; i++) {
      link("link" + i, "link" + (i - 1));
    }
    assertEquals("content", bench.read("link40"));
    assertRefused(Kind.LINK_LOOP, () -> bench.read("link41"));
  }

  @Test
  void whatIsNotThereIsSaidWithItsPlace() throws IOException {
    link("dangling", "gone");
    assertRefused(Kind.NOT_FOUND, "'nothing' is not there", () -> bench.read("nothing"));
    assertRefused(
        Kind.NOT_FOUND,
        "'dangling' is not there: there is no 'gone'",
        () -> bench.read("dangling"));
    assertRefused(
        Kind.NOT_FOUND,
        "'no/where/x' is not there: there is no 'no'",
        () -> bench.read("no/where/x"));
    assertRefused(
        Kind.NOT_FOUND,
        "'../../x' is not there: there is no '%s/x'".formatted(bench.work),
        () -> bench.read("../../x"));
    assertRefused(Kind.NOT_FOUND, () -> bench.root.directory("nothing"));
    assertRefused(Kind.NOT_FOUND, () -> bench.root.status("nothing"));
  }

  @Test
  void aFileOnTheWayIsNoDirectory() {
    assertRefused(
        Kind.NOT_A_DIRECTORY,
        "'file/x' can't be reached: 'file' is not a directory",
        () -> bench.read("file/x"));
    assertRefused(Kind.NOT_A_DIRECTORY, () -> bench.read("file/"));
    assertRefused(Kind.NOT_A_DIRECTORY, () -> bench.read("file/.."));
    assertRefused(
        Kind.NOT_A_DIRECTORY, "'file' is not a directory", () -> bench.root.directory("file"));
  }

  @Test
  void aDirectoryIsNoFile() {
    assertRefused(Kind.NOT_A_FILE, "'.' is a directory, not a regular file", () -> bench.read("."));
    assertRefused(
        Kind.NOT_A_FILE,
        "'..' is a directory, not a regular file (it is '%s/a')".formatted(bench.work),
        () -> bench.read(".."));
  }

  @Test
  void whatIsNoPathIsSaidToBeNone() {
    assertRefused(
        Kind.INVALID,
        "the path is empty; '.' names the working directory itself",
        () -> bench.read(""));
    assertRefused(Kind.INVALID, "'a\\x00b' has a NUL, which no path has", () -> bench.read("a\0b"));
    assertRefused(
        Kind.INVALID,
        "a name in '%s...' has 256 bytes; at most 255 are possible".formatted("n".repeat(200)),
        () -> bench.read("n".repeat(256)));
    assertRefused(
        Kind.INVALID,
        "the path '%s...' has 4097 bytes; at most 4095 are possible".formatted("./".repeat(100)),
        () -> bench.read("./".repeat(2048) + "x"));
    assertRefused(Kind.INVALID, () -> bench.read("half\ud800"));
    assertRefused(Kind.NOT_FOUND, () -> bench.read("n".repeat(255)));
  }

  @Test
  void aPathIsAtMost256DirectoriesDeep() throws IOException {
    String deep = "d/".repeat(256);
    assertRefused(
        Kind.INVALID,
        "'%s...' is more than 256 directories deep".formatted("d/".repeat(100)),
        () -> bench.write(deep + "x", "no"));
    assertRefused(Kind.NOT_FOUND, () -> bench.root.status("d"));
    bench.write("d/".repeat(254) + "x", "deep");
    assertEquals("deep", bench.read("d/".repeat(254) + "x"));
  }

  @Test
  void aPathIsShownRelativeInTheWorkingDirectoryAndAbsoluteElsewhere() throws IOException {
    link("near", "file");
    assertEquals("file", bench.root.shown(bench.cwd + "/file"));
    assertEquals("file", bench.root.shown("near"));
    assertEquals("new", bench.root.shown("../b/new"));
    assertEquals(".", bench.root.shown(bench.cwd.toString()));
    assertEquals(bench.work + "/shared", bench.root.shown("../../shared"));
    assertEquals(bench.work.toString(), bench.root.shown("../.."));
  }

  @Test
  void aStatusSaysWhatTheFileIs() throws IOException {
    FileStatus status = bench.root.status("file");
    assertEquals(FileKind.FILE, status.kind());
    assertEquals(7, status.size());
    long modified = Files.getLastModifiedTime(bench.cwd.resolve("file")).toMillis();
    assertEquals(modified, status.modifiedNanos() / 1_000_000);
    try (FileHandle file = bench.root.file("file")) {
      assertEquals(status, file.status());
    }
  }

  @Test
  void aFileIsReadAtAnyPlaceAndIntoAnyBuffer() throws IOException {
    try (FileHandle file = bench.root.file("file")) {
      for (ByteBuffer buffer : List.of(ByteBuffer.allocate(9), ByteBuffer.allocateDirect(9))) {
        buffer.position(1).limit(5);
        assertEquals(4, file.read(buffer, 2));
        assertEquals(5, buffer.position());
        assertEquals('n', buffer.get(1));
        assertEquals(0, file.read(buffer, 0));
        buffer.clear();
        assertEquals(-1, file.read(buffer, 7));
        assertEquals(-1, file.read(buffer, 1L << 40));
        assertEquals(0, buffer.position());
      }
    }
  }

  @Test
  void aDirectoryIsWalkedWithoutFollowingLinks() throws IOException {
    Files.createDirectory(bench.cwd.resolve("inner"));
    Files.writeString(bench.cwd.resolve("inner/leaf"), "leaf");
    link("out", bench.outside.toString());
    link("near", "inner");
    try (Directory directory = bench.root.directory(".")) {
      Map<String, FileKind> kinds = new TreeMap<>();
      directory.entries().forEachRemaining(entry -> kinds.put(entry.name(), entry.kind()));
      assertEquals(
          Map.of(
              "file", FileKind.FILE,
              "inner", FileKind.DIRECTORY,
              "out", FileKind.LINK,
              "near", FileKind.LINK),
          kinds);
      try (Directory inner = directory.directory("inner");
          FileHandle leaf = inner.file("leaf")) {
        assertEquals("leaf", Workbench.read(leaf));
        assertEquals("inner", inner.shown());
      }
      assertEquals(FileKind.LINK, directory.status("out").kind());
      assertRefused(
          Kind.NOT_A_DIRECTORY, "'out' is not a directory", () -> directory.directory("out"));
      assertRefused(
          Kind.NOT_A_FILE, "'near' is a link, not a regular file", () -> directory.file("near"));
      assertRefused(Kind.NOT_FOUND, "'gone' is not there", () -> directory.file("gone"));
    }
  }

  @Test
  void aWalkTakesSingleNamesOnly() throws IOException {
    try (Directory directory = bench.root.directory("..")) {
      assertEquals(bench.work + "/a", directory.shown());
      for (String name : List.of("..", ".", "b/file", "/b", "", "b/", "b\0")) {
        assertRefused(Kind.INVALID, () -> directory.file(name));
        assertRefused(Kind.INVALID, () -> directory.directory(name));
        assertRefused(Kind.INVALID, () -> directory.status(name));
      }
    }
  }

  @Test
  void manyEntriesAreListedOnceEach() throws IOException {
    Path many = Files.createDirectory(bench.cwd.resolve("many"));
    TreeMap<String, FileKind> expected = new TreeMap<>();
    for (int i = 0; i < 2000; i++) {
      String name = "entry-with-a-longer-name-" + i;
      Files.createFile(many.resolve(name));
      expected.put(name, FileKind.FILE);
    }
    try (Directory directory = bench.root.directory("many")) {
      TreeMap<String, FileKind> seen = new TreeMap<>();
      directory
          .entries()
          .forEachRemaining(entry -> assertTrue(seen.put(entry.name(), entry.kind()) == null));
      assertEquals(expected, seen);
    }
  }

  @Test
  void whatIsClosedIsNotReadFromAnyMore() throws IOException {
    FileHandle file = bench.root.file("file");
    Directory directory = bench.root.directory(".");
    file.close();
    directory.close();
    assertThrows(IOException.class, () -> file.read(ByteBuffer.allocate(1), 0));
    assertThrows(Exception.class, () -> directory.file("file"));
    Root root = Root.open(bench.handles, bench.work.toString(), bench.cwd.toString());
    root.close();
    root.close();
    assertThrows(Exception.class, () -> root.file("file"));
  }
}
