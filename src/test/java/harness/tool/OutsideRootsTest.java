package harness.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What every file tool does with a path that it may not use, or that is nothing for it. */
class OutsideRootsTest {
  private static final Duration AT_ONCE = Duration.ofSeconds(10);

  private Workplace place;

  @BeforeEach
  void open(@TempDir Path base) throws IOException {
    place = Workplace.in(base);
    Files.writeString(place.outside.resolve("secret"), "secret\n");
    Files.writeString(place.work.resolve("shared"), "secret\n");
    place.file("a.txt", "one\n");
  }

  /** A call of each file tool that writes at a path. */
  private static Map<String, Map<String, ?>> writing(String path) {
    Map<String, Map<String, ?>> calls = new LinkedHashMap<>();
    calls.put("write", Map.of("path", path, "content", "x"));
    calls.put("edit", Map.of("path", path, "edits", Map.of("old", "secret", "new", "x")));
    calls.put("delete", Map.of("path", path));
    calls.put("make_directory", Map.of("path", path));
    calls.put("move", Map.of("from", "a.txt", "to", path));
    calls.put("move ", Map.of("from", path, "to", "b.txt"));
    calls.put("apply_patch", patch("--- %1$s\n+++ %1$s\n@@ -1 +1 @@\n-secret\n+x\n", path));
    calls.put("apply_patch ", patch("--- /dev/null\n+++ %s\n@@ -0,0 +1 @@\n+x\n", path));
    calls.put("apply_patch  ", patch("--- %s\n+++ /dev/null\n@@ -1 +0,0 @@\n-secret\n", path));
    return calls;
  }

  private static Map<String, String> patch(String patch, String path) {
    return Map.of("patch", patch.formatted(path));
  }

  private static Map<String, Map<String, ?>> reading(String path) {
    Map<String, Map<String, ?>> calls = new LinkedHashMap<>();
    calls.put("read", Map.of("path", path));
    calls.put("list", Map.of("path", path));
    calls.put("apply_patch", patch("diff --git a/x b/x\ncopy from %s\ncopy to copied\n", path));
    return calls;
  }

  private Map<String, String> snapshot() throws IOException {
    Map<String, String> all = new TreeMap<>();
    try (var paths = Files.walk(place.work.getParent())) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        boolean file = Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS);
        all.put(path.toString(), file ? Files.readString(path) : "");
      }
    }
    return all;
  }

  private void assertRefusedNaming(Path root, Map<String, Map<String, ?>> calls) {
    calls.forEach(
        (tool, input) -> {
          String text = place.error(tool.strip(), input);
          assertTrue(text.contains(root.toString()), tool + ": " + text);
          assertFalse(text.contains("secret\n"), tool + ": " + text);
        });
  }

  @Test
  void aWriteOutsideTheWorkingDirectoryIsRefusedInEveryToolNamingIt() throws IOException {
    Files.createSymbolicLink(place.cwd.resolve("link"), place.outside);
    Files.createSymbolicLink(place.cwd.resolve("dangling"), place.outside.resolve("gone"));
    Files.createSymbolicLink(place.cwd.resolve("up"), Path.of(".."));
    Map<String, String> before = snapshot();
    for (String path :
        List.of(
            place.outside + "/secret",
            place.outside + "/new",
            place.work + "/shared",
            "../../shared",
            "../new",
            "../../../outside/secret",
            "link/secret",
            "link/new/deeper",
            "dangling/deeper",
            "up/new")) {
      assertRefusedNaming(place.cwd, writing(path));
    }
    assertEquals(before, snapshot());
  }

  @Test
  void aReadOutsideTheWorkspaceIsRefusedInEveryToolNamingIt() throws IOException {
    Files.createSymbolicLink(place.cwd.resolve("link"), place.outside);
    Files.createSymbolicLink(place.cwd.resolve("file"), place.outside.resolve("secret"));
    Map<String, String> before = snapshot();
    for (String path :
        List.of(place.outside + "/secret", "../../../outside/secret", "link/secret", "file")) {
      assertRefusedNaming(place.work, reading(path));
    }
    assertEquals(before, snapshot());
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void whatIsNoFileAnswersAtOnceInEveryToolSayingWhatItIs() throws Exception {
    run("mkfifo", place.cwd.resolve("fifo").toString());
    Files.createDirectories(place.cwd.resolve("directory/x"));
    try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      socket.bind(UnixDomainSocketAddress.of(place.cwd.resolve("socket")));
      for (String what : List.of("fifo", "socket", "directory")) {
        String said = what.equals("fifo") ? "FIFO" : what;
        Map<String, Map<String, ?>> calls = new LinkedHashMap<>(writing(what));
        calls.put("read", Map.of("path", what));
        calls.keySet().removeAll(List.of("delete", "move ", "make_directory"));
        calls.forEach(
            (tool, input) -> {
              String text =
                  assertTimeoutPreemptively(AT_ONCE, () -> place.error(tool.strip(), input));
              assertTrue(text.contains(" is a " + said) || text.contains(": a " + said), text);
            });
      }
      assertTrue(place.error("list", Map.of("path", "fifo")).contains("is not a directory"));
      assertEquals("moved fifo to d/fifo", place.ok("move", "{from:'fifo', to:'d/fifo'}"));
      assertEquals("deleted d/fifo", place.ok("delete", "{path:'d/fifo'}"));
      assertEquals("deleted socket", place.ok("delete", "{path:'socket'}"));
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void namesThatAreNoUtf8AreMadeReadChangedMovedAndDeleted() throws Exception {
    run("bash", "-c", "cd '" + place.cwd + "' && rm a.txt && echo old > $'caf\\xe9'");
    String name = "caf\\xE9";
    assertEquals(name + "  4", place.ok("list", "{}"));
    assertEquals("     1\told", place.ok("read", Map.of("path", name)));
    place.ok("edit", Map.of("path", name, "edits", Map.of("old", "old", "new", "new")));
    String header = "--- \"a/caf\\351\"\n+++ \"b/caf\\351\"\n";
    place.ok("apply_patch", Map.of("patch", header + "@@ -1 +1 @@\n-new\n+newer\n"));
    place.ok("write", Map.of("path", name, "content", "newest\n"));
    assertEquals(
        "moved " + name + " to d\\xFF/" + name,
        place.ok("move", Map.of("from", name, "to", "d\\xFF/" + name)));
    assertEquals("     1\tnewest", place.ok("read", Map.of("path", "d\\xFF/" + name)));
    assertEquals(
        "made the directory d\\xFF/e\\xFE",
        place.ok("make_directory", "{path:'d\\\\xFF/e\\\\xFE'}"));
    assertEquals(
        "deleted the directory d\\xFF with 1 file and 1 directory in it",
        place.ok("delete", Map.of("path", "d\\xFF")));
    assertEquals("[. is empty]", place.ok("list", "{}"));
  }

  private static void run(String... command) throws IOException, InterruptedException {
    assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor());
  }
}
