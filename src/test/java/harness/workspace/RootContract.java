package harness.workspace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.workspace.PathException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a Root does over any handles: the workspace is {@code work}, the Frame's is {@code
 * work/a/b}.
 */
abstract class RootContract {
  private Path base;
  private Path work;
  private Path cwd;
  private Path outside;
  private Root root;

  /** An empty directory, by its real path. */
  abstract Path base();

  abstract Handles handles();

  @BeforeEach
  void open() throws IOException {
    base = base();
    work = Files.createDirectory(base.resolve("work"));
    cwd = Files.createDirectories(work.resolve("a/b"));
    outside = Files.createDirectory(base.resolve("outside"));
    Files.writeString(outside.resolve("secret"), "secret");
    Files.writeString(work.resolve("shared"), "shared");
    Files.writeString(cwd.resolve("file"), "content");
    root = Root.open(handles(), work.toString(), cwd.toString());
  }

  @AfterEach
  void close() {
    root.close();
  }

  static String read(FileHandle file) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(64 * 1024);
    while (file.read(buffer, buffer.position()) >= 0) {
      assertTrue(buffer.hasRemaining());
    }
    return new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8);
  }

  String read(String path) throws IOException {
    try (FileHandle file = root.file(path)) {
      return read(file);
    }
  }

  void write(String path, String content) throws IOException {
    try (Target target = root.target(path)) {
      target.replace(content.getBytes(StandardCharsets.UTF_8));
    }
  }

  static void assertRefused(
      Kind kind, String message, org.junit.jupiter.api.function.Executable does) {
    PathException refused = assertThrows(PathException.class, does);
    assertEquals(message, refused.getMessage());
    assertEquals(kind, refused.kind());
  }

  @Test
  void aRelativePathIsInTheWorkingDirectory() throws IOException {
    write("new", "hello");
    assertEquals("hello", Files.readString(cwd.resolve("new")));
    assertEquals("hello", read("new"));
    assertEquals("content", read("./file"));
  }

  @Test
  void anAbsolutePathIsReadUnderTheWorkspace() throws IOException {
    assertEquals("shared", read(work + "/shared"));
    assertEquals("shared", read("../../shared"));
    assertEquals("content", read(work + "/a/b/../b//./file"));
  }

  @Test
  void aReadOutsideTheWorkspaceIsRefused() {
    assertRefused(
        Kind.OUTSIDE,
        "'" + outside + "/secret' is outside the workspace " + work + "; reads stay inside it",
        () -> read(outside + "/secret"));
    assertRefused(
        Kind.OUTSIDE,
        "'../../../outside/secret' is outside the workspace " + work + "; reads stay inside it",
        () -> read("../../../outside/secret"));
    assertRefused(
        Kind.OUTSIDE,
        "'../../../work/shared' is outside the workspace " + work + "; reads stay inside it",
        () -> read("../../../work/shared"));
  }

  @Test
  void aWriteOutsideTheWorkingDirectoryIsRefused() throws IOException {
    assertRefused(
        Kind.OUTSIDE,
        "'../x' leaves the working directory " + cwd + "; writes stay inside it",
        () -> write("../x", "no"));
    assertRefused(
        Kind.OUTSIDE,
        "'" + work + "/shared' leaves the working directory " + cwd + "; writes stay inside it",
        () -> write(work + "/shared", "no"));
    assertRefused(
        Kind.OUTSIDE,
        "'../new/x' leaves the working directory " + cwd + "; writes stay inside it",
        () -> write("../new/x", "no"));
    assertRefused(
        Kind.OUTSIDE,
        "'" + outside + "/x' leaves the working directory " + cwd + "; writes stay inside it",
        () -> write(outside + "/x", "no"));
    assertFalse(Files.exists(work.resolve("a/x")));
    assertFalse(Files.exists(work.resolve("a/new")));
    assertFalse(Files.exists(outside.resolve("x")));
    assertEquals("shared", Files.readString(work.resolve("shared")));
  }

  @Test
  void aPathThatGoesOutAndComesBackIsAWriteInside() throws IOException {
    write("../../a/b/x", "1");
    write(cwd + "/y", "2");
    assertEquals("1", Files.readString(cwd.resolve("x")));
    assertEquals("2", Files.readString(cwd.resolve("y")));
  }
}
