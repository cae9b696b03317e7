package harness.workspace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import harness.workspace.PathException.Kind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.function.Executable;

/**
 * A workspace {@code work} with a working directory {@code work/a/b} in it, a directory {@code
 * outside} beside it, and a Root on them.
 */
final class Workbench implements AutoCloseable {
  final FileSystem files;
  final Handles handles;
  final Path base;
  final Path work;
  final Path cwd;
  final Path outside;
  final Root root;

  Workbench(Adapter adapter, Path temporary) throws IOException {
    files = adapter.files();
    handles = adapter.handles(files, new Random(1));
    base = adapter.base(files, temporary);
    work = Files.createDirectory(base.resolve("work"));
    cwd = Files.createDirectories(work.resolve("a/b"));
    outside = Files.createDirectory(base.resolve("outside"));
    Files.writeString(outside.resolve("secret"), "secret");
    Files.writeString(work.resolve("shared"), "shared");
    Files.writeString(cwd.resolve("file"), "content");
    root = Root.open(handles, work.toString(), cwd.toString());
  }

  Path path(String path) {
    return files.getPath(path);
  }

  String read(String path) throws IOException {
    try (FileHandle file = root.file(path)) {
      return read(file);
    }
  }

  static String read(FileHandle file) throws IOException {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    ByteBuffer buffer = ByteBuffer.allocate(1000);
    while (file.read(buffer, content.size()) >= 0) {
      content.write(buffer.array(), 0, buffer.position());
      buffer.clear();
    }
    return content.toString(StandardCharsets.UTF_8);
  }

  void write(String path, String content) throws IOException {
    try (Target target = root.target(path)) {
      target.replace(content.getBytes(StandardCharsets.UTF_8));
    }
  }

  static void assertRefused(Kind kind, String message, Executable does) {
    PathException refused = assertThrows(PathException.class, does);
    assertEquals(message, refused.getMessage());
    assertEquals(kind, refused.kind());
  }

  static void assertRefused(Kind kind, Executable does) {
    PathException refused = assertThrows(PathException.class, does);
    assertEquals(kind, refused.kind(), refused.getMessage());
  }

  /** All that lies under a directory: by path, its kind and content. */
  static Map<String, String> snapshot(Path directory) throws IOException {
    Map<String, String> all = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        String what;
        if (Files.isSymbolicLink(path)) {
          what = "link to " + Files.readSymbolicLink(path);
        } else if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
          what = "file with " + Files.readString(path);
        } else {
          what = Files.isDirectory(path) ? "directory" : "something else";
        }
        all.put(directory.relativize(path).toString(), what);
      }
    }
    return all;
  }

  List<String> namesIn(Path directory) throws IOException {
    try (Stream<Path> paths = Files.list(directory)) {
      return paths.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  /** Closes the Root; nothing under the base may stay open then. */
  @Override
  public void close() throws IOException {
    root.close();
    if (files == FileSystems.getDefault()) {
      removeLinks();
      assertEquals(List.of(), Descriptors.under(base));
    } else {
      files.close();
    }
  }

  /** So that what deletes the temporary directory has nothing to warn of. */
  private void removeLinks() throws IOException {
    try (Stream<Path> paths = Files.walk(base)) {
      for (Path link : paths.filter(Files::isSymbolicLink).toList()) {
        Files.delete(link);
      }
    }
  }
}
