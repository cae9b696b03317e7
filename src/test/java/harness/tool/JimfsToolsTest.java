package harness.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import harness.workspace.Handles;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** That the tools lean on nothing that only one of the adapters of files does. */
class JimfsToolsTest {
  private FileSystem files;
  private Workplace place;

  @BeforeEach
  void open() throws IOException {
    files =
        Jimfs.newFileSystem(
            Configuration.unix().toBuilder().setAttributeViews("posix", "unix").build());
    Path base = Files.createDirectories(files.getPath("/base"));
    place = Workplace.in(base, Handles.nio(files, new Random(7)));
  }

  @AfterEach
  void close() throws IOException {
    files.close();
  }

  @Test
  void aFileIsWrittenFoundReadAndEdited() throws IOException {
    assertEquals(
        "created src/a.txt: 8 bytes",
        place.ok("write", "{path:'src/a.txt', content:'one\\ntwo\\n'}"));
    assertEquals("src/", place.ok("list", "{}"));
    assertEquals("src/a.txt", place.ok("glob", "{pattern:'**/*.txt'}"));
    assertEquals("src/a.txt:2:two", place.ok("grep", "{pattern:'t.o'}"));
    assertEquals("     1\tone\n     2\ttwo", place.ok("read", "{path:'src/a.txt'}"));
    place.ok("edit", "{path:'src/a.txt', edits:[{old:'two', new:'2'}]}");
    assertEquals("one\n2\n", place.content("src/a.txt"));
  }

  @Test
  void filesAreMovedDeletedMadeAndPatched() throws IOException {
    place.ok("write", "{path:'a.txt', content:'one\\n'}");
    assertEquals("moved a.txt to d/b.txt", place.ok("move", "{from:'a.txt', to:'d/b.txt'}"));
    assertEquals("made the directory e/f", place.ok("make_directory", "{path:'e/f'}"));
    place.ok(
        "apply_patch",
        Map.of(
            "patch",
            "--- d/b.txt\n+++ d/b.txt\n@@ -1 +1 @@\n-one\n+two\n"
                + "--- /dev/null\n+++ e/new\n@@ -0,0 +1 @@\n+x\n"));
    assertEquals("two\n", place.content("d/b.txt"));
    assertEquals(
        "deleted the directory e with 1 file and 1 directory in it",
        place.ok("delete", "{path:'e'}"));
    assertEquals("d/", place.ok("list", "{}"));
  }

  @Test
  void nothingOutsideIsReadOrWritten() throws IOException {
    Files.writeString(place.outside.resolve("secret"), "secret");
    Files.createSymbolicLink(place.cwd.resolve("out"), place.outside);
    assertTrue(place.error("read", "{path:'out/secret'}").contains(place.work.toString()));
    assertTrue(place.error("write", "{path:'out/new', content:''}").contains(place.cwd.toString()));
    assertTrue(place.ok("grep", "{pattern:'secret'}").startsWith("[no match"));
    assertFalse(Files.exists(place.outside.resolve("new")));
  }
}
