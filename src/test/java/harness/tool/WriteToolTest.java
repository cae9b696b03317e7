package harness.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WriteToolTest {
  private Workplace place;

  @BeforeEach
  void open(@TempDir Path base) throws IOException {
    place = Workplace.in(base);
  }

  @Test
  void aRelativePathIsWrittenInTheWorkingDirectoryWithItsParents() throws IOException {
    assertEquals(
        "created src/new/a.txt: 6 bytes",
        place.ok(
            "write",
            Map.of("path", "src/new/a.txt", "content", "h\u00E9\r\n\uFEFF".substring(0, 4) + "x")));
    assertEquals("h\u00E9\r\nx", place.content("src/new/a.txt"));
  }

  @Test
  void whatWasThereIsReplacedWhole() throws IOException {
    place.known("a.txt", "a long content\n");
    assertEquals(
        "replaced a.txt: 2 bytes\n@@ -1 +1 @@\n-a long content\n+b",
        place.ok("write", "{path:'./a.txt', content:'b\\n'}"));
    assertEquals("b\n", place.content("a.txt"));
    assertEquals(
        "replaced a.txt: 0 bytes\n@@ -1 +0,0 @@\n-b",
        place.ok("write", "{path:'a.txt', content:''}"));
    assertEquals(
        "a.txt has this content already: nothing was changed",
        place.ok("write", "{path:'a.txt', content:''}"));
  }

  @Test
  void aPathOutsideTheWorkingDirectoryIsRefusedNamingIt() throws IOException {
    Files.createSymbolicLink(place.cwd.resolve("out"), place.outside);
    Files.createSymbolicLink(place.cwd.resolve("up"), place.work);
    String[] paths = {
      "../a.txt",
      place.outside + "/a.txt",
      place.work + "/a.txt",
      "out/a.txt",
      "out/new/a.txt",
      "up/a.txt"
    };
    for (String path : paths) {
      String text = place.error("write", Map.of("path", path, "content", "x"));
      assertTrue(text.contains(place.cwd.toString()), text);
    }
    assertFalse(Files.exists(place.outside.resolve("a.txt")));
    assertFalse(Files.exists(place.outside.resolve("new")));
    assertFalse(Files.exists(place.work.resolve("a.txt")));
    assertFalse(Files.exists(place.work.resolve("target/a.txt")));
  }

  @Test
  void gitsOwnFilesAreOutOfReach() throws IOException {
    place.file(".git/config", "[core]\n");
    assertTrue(
        place.error("write", "{path:'.git/hooks/pre-commit', content:'x'}").contains("git's own"));
    assertTrue(
        place
            .error("edit", "{path:'.git/config', edits:[{old:'core',new:'x'}]}")
            .contains("git's own"));
    assertTrue(place.error("read", "{path:'.git/config'}").contains("git's own"));
    assertEquals("[core]\n", place.content(".git/config"));
  }

  @Test
  void halfACharacterIsRefusedInsteadOfWrittenAsAQuestionMark() {
    assertTrue(
        place
            .error("write", Map.of("path", "a.txt", "content", "a\uD83D"))
            .contains("half a character (an unpaired surrogate) at position 1"));
    assertFalse(Files.exists(place.cwd.resolve("a.txt")));
  }

  @Test
  void aDirectoryIsNotReplaced() throws IOException {
    Files.createDirectory(place.cwd.resolve("d"));
    assertTrue(place.error("write", "{path:'d', content:'x'}").contains("is a directory"));
  }
}
