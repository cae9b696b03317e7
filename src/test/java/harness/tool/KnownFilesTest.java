package harness.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.workspace.Handles;
import harness.workspace.Interfering;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That what a conversation does not know is neither overwritten nor edited. */
class KnownFilesTest {
  private static final String UNREAD =
      "a.txt is there and this conversation has not read it; read it first, so that nothing in it is"
          + " lost unseen";
  private static final String CHANGED =
      "a.txt has changed since this conversation read or wrote it; read it again, then change what"
          + " is there now";

  private Path base;
  private Workplace place;

  @BeforeEach
  void open(@TempDir Path base) throws IOException {
    this.base = base;
    place = Workplace.in(base);
  }

  private static String write(String content) {
    return "{path:'a.txt', content:'" + content + "'}";
  }

  private static String edit(String before, String after) {
    return "{path:'a.txt', edits:[{old:'" + before + "', new:'" + after + "'}]}";
  }

  @Test
  void aFileThatWasNeverReadIsNeitherOverwrittenNorEdited() throws IOException {
    place.file("a.txt", "one");
    assertEquals(UNREAD, place.error("write", write("x")));
    assertEquals(UNREAD, place.error("edit", edit("one", "two")));
    assertEquals("one", place.content("a.txt"));
    place.ok("read", "{path:'a.txt'}");
    place.ok("write", write("x"));
    assertEquals("x", place.content("a.txt"));
  }

  @Test
  void aFileThatChangedSinceItWasReadIsNeitherOverwrittenNorEdited() throws IOException {
    place.known("a.txt", "one");
    place.file("a.txt", "two");
    assertEquals(CHANGED, place.error("write", write("x")));
    assertEquals(CHANGED, place.error("edit", edit("two", "three")));
    assertEquals("two", place.content("a.txt"));
    place.ok("read", "{path:'a.txt'}");
    place.ok("edit", edit("two", "three"));
    assertEquals("three", place.content("a.txt"));
  }

  @Test
  void aFileThatWasTouchedOrChangedBackIsTheSame() throws IOException {
    Path file = place.known("a.txt", "one");
    place.file("a.txt", "two");
    place.file("a.txt", "one");
    Files.setLastModifiedTime(file, FileTime.fromMillis(0));
    place.ok("edit", edit("one", "two"));
  }

  @Test
  void aPartThatWasReadIsEnough() throws IOException {
    place.file("a.txt", "1\n2\n3\n");
    place.ok("read", "{path:'a.txt', offset:2, limit:1}");
    place.ok("edit", edit("3", "x"));
  }

  @Test
  void whatWasWrittenOrEditedIsKnown() throws IOException {
    place.ok("write", write("one"));
    place.ok("write", write("two"));
    place.ok("edit", edit("two", "three"));
    place.ok("edit", edit("three", "four"));
    place.ok("write", write("five"));
    assertEquals("five", place.content("a.txt"));
  }

  @Test
  void anotherConversationKnowsNothingOfIt() throws IOException {
    place.ok("write", write("one"));
    Workplace other = place.another();
    assertEquals(UNREAD, other.error("write", write("x")));
    other.ok("read", "{path:'a.txt'}");
    other.ok("write", write("theirs"));
    assertEquals(CHANGED, place.error("edit", edit("one", "x")));
  }

  @Test
  void anotherSpellingOfThePathIsTheSameFile() throws IOException {
    place.file("d/a.txt", "one");
    place.ok("read", Map.of("path", "./d//../d/a.txt"));
    place.ok("write", Map.of("path", place.cwd + "/d/a.txt", "content", "two"));
    place.ok("write", Map.of("file_path", "d/a.txt", "content", "three"));
    place.file("d\nx", "one");
    place.ok("read", Map.of("path", "d\\x0Ax"));
    place.ok("write", Map.of("path", "d\nx", "content", "two"));
  }

  @Test
  void aFileThatIsGoneIsMadeAnewAndNotEdited() throws IOException {
    Files.delete(place.known("a.txt", "one"));
    assertEquals(
        "a.txt is not there; write makes a new file", place.error("edit", edit("one", "x")));
    assertEquals("created a.txt: 1 bytes", place.ok("write", write("x")));
  }

  @Test
  void aMovedFileIsKnownInItsNewPlace() throws IOException {
    place.known("a.txt", "one");
    place.file("b.txt", "one");
    place.ok("move", "{from:'a.txt', to:'c.txt'}");
    place.ok("write", "{path:'c.txt', content:'x'}");
    place.ok("move", "{from:'b.txt', to:'a.txt'}");
    place.file("a.txt", "other");
    assertEquals(CHANGED, place.error("write", write("x")));
  }

  @Test
  void aFileThatChangedSinceItWasReadIsNotDeletedAndOneNeverReadIs() throws IOException {
    place.known("a.txt", "one");
    place.file("a.txt", "two");
    assertEquals(CHANGED, place.error("delete", "{path:'a.txt'}"));
    assertEquals("two", place.content("a.txt"));
    place.file("b.txt", "never read");
    assertEquals("deleted b.txt", place.ok("delete", "{path:'b.txt'}"));
    place.ok("read", "{path:'a.txt'}");
    assertEquals("deleted a.txt", place.ok("delete", "{path:'a.txt'}"));
  }

  @Test
  void aFileTooLargeToLookAtGoesByItsSizeAndTime() throws IOException {
    Path file = place.file("a.txt", "");
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[] {1}), 10_000_000_000L);
    }
    place.ok("read", "{path:'a.txt'}");
    Files.setLastModifiedTime(file, FileTime.fromMillis(1000));
    assertEquals(CHANGED, place.error("write", write("x")));
    place.ok("read", "{path:'a.txt'}");
    assertEquals("replaced a.txt: 1 bytes", place.ok("write", write("x")));
    assertEquals("x", place.content("a.txt"));
  }

  /** The moment is that of the temporary file, when the new content was worked out already. */
  private Workplace interferingAt(String moment, String content) throws IOException {
    Files.createDirectories(base.resolve("w"));
    Workplace[] self = new Workplace[1];
    self[0] =
        Workplace.in(
            base.resolve("w"),
            new Interfering(
                Handles.system(new Random(3)), moment, () -> self[0].file("a.txt", content)));
    return self[0];
  }

  @Test
  void whatSomebodyWritesWhileACallRunsIsLeftAlone() throws IOException {
    String alone =
        "a.txt changed while this call ran, and was left alone; read it again, then try again";
    for (String input : new String[] {write("mine"), edit("one", "mine")}) {
      Workplace busy = interferingAt("temporary", "theirs");
      busy.known("a.txt", "one");
      String tool = input.contains("edits") ? "edit" : "write";
      assertEquals(alone, busy.error(tool, input));
      assertEquals("theirs", busy.content("a.txt"));
      try (var left = Files.list(busy.cwd)) {
        assertEquals(1, left.count());
      }
      Files.delete(busy.cwd.resolve("a.txt"));
    }
    assertEquals(alone, interferingAt("temporary", "theirs").error("write", write("mine")));
  }

  @Test
  void aFileThatAppearsInTheLastMomentIsNotReplaced() throws IOException {
    Workplace busy = interferingAt("move", "theirs");
    assertTrue(
        busy.error("write", write("mine")).startsWith("'a.txt' has appeared since it was looked"));
    assertEquals("theirs", busy.content("a.txt"));
  }
}
