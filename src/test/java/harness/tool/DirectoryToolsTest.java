package harness.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.agent.Access;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryToolsTest {
  private Workplace place;

  @BeforeEach
  void open(@TempDir Path base) throws IOException {
    place = Workplace.in(base);
  }

  @Test
  void aFileIsMovedAndThePathsAreSaid() throws IOException {
    place.file("a.txt", "one");
    assertEquals("moved a.txt to d/b.txt", place.ok("move", "{from:'./a.txt', to:'d/b.txt'}"));
    assertEquals("one", place.content("d/b.txt"));
    assertEquals("moved d to e", place.ok("move", "{source:'d', destination:'e'}"));
    assertEquals("one", place.content("e/b.txt"));
  }

  @Test
  void whatIsThereIsNotMovedOver() throws IOException {
    place.file("a.txt", "one");
    place.file("b.txt", "two");
    assertEquals(
        "'b.txt' is there already: a file; delete it first, or give another name",
        place.error("move", "{from:'a.txt', to:'b.txt'}"));
    assertEquals("two", place.content("b.txt"));
  }

  @Test
  void whatWasDeletedIsSaid() throws IOException {
    place.file("a.txt", "one");
    place.file("d/b.txt", "one");
    place.file("d/e/c.txt", "one");
    Files.createDirectory(place.cwd.resolve("empty"));
    Files.createSymbolicLink(place.cwd.resolve("link"), place.outside);
    assertEquals("deleted a.txt", place.ok("delete", "{path:'a.txt'}"));
    assertEquals("deleted the link link", place.ok("delete", "{path:'link'}"));
    assertEquals(
        "deleted the directory empty, which was empty", place.ok("delete", "{path:'empty/'}"));
    assertEquals(
        "deleted the directory d with 2 files and 1 directory in it",
        place.ok("delete", "{path:'d'}"));
    assertEquals("[. is empty]", place.ok("list", "{}"));
    assertTrue(Files.exists(place.outside));
  }

  @Test
  void aDirectoryIsMadeOnce() {
    assertEquals("made the directory a/b", place.ok("make_directory", "{path:'a/b/'}"));
    assertEquals("a/b is there already, as a directory", place.ok("make_directory", "{dir:'a/b'}"));
    assertTrue(Files.isDirectory(place.cwd.resolve("a/b")));
  }

  @Test
  void readAccessWithholdsThem() throws IOException {
    place.file("a.txt", "one");
    Workplace reader = place.with(Access.READ);
    assertTrue(reader.error("move", "{from:'a.txt', to:'b'}").startsWith("move is withheld"));
    assertTrue(reader.error("delete", "{path:'a.txt'}").startsWith("delete is withheld"));
    assertTrue(reader.error("make_directory", "{path:'d'}").startsWith("make_directory is with"));
    assertTrue(reader.error("apply_patch", "{patch:'x'}").startsWith("apply_patch is withheld"));
    assertFalse(Files.exists(place.cwd.resolve("d")));
    assertEquals("one", place.content("a.txt"));
  }
}
