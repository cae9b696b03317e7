package harness.tool;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.Seed;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EditToolTest {
  private Workplace place;

  @BeforeEach
  void open(@TempDir Path base) throws IOException {
    place = Workplace.in(base);
  }

  private static Map<String, Object> edit(String path, String before, String after) {
    return Map.of("path", path, "edits", List.of(Map.of("old", before, "new", after)));
  }

  private static void assertHas(String part, String text) {
    assertTrue(text.contains(part), text);
  }

  private static byte[] latin1(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private byte[] bytes(String name) throws IOException {
    return Files.readAllBytes(place.cwd.resolve(name));
  }

  @Test
  void oneOccurrenceIsReplaced() throws IOException {
    place.known("a.txt", "one\ntwo\nthree\n");
    assertEquals(
        "edited a.txt: line 2\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three",
        place.ok("edit", edit("a.txt", "two", "2")));
    assertEquals("one\n2\nthree\n", place.content("a.txt"));
  }

  @Test
  void editsAreMadeOneAfterAnother() throws IOException {
    place.known("a.txt", "one\ntwo\n");
    assertEquals(
        "edited a.txt: 3 edits\nedit 1: line 1\nedit 2: line 1\nedit 3: 2 places, lines 1, 2"
            + "\n@@ -1,2 +1,2 @@\n-one\n-two\n+2\n+2",
        place.ok(
            "edit",
            "{path:'a.txt', edits:[{old:'one',new:'1'},{old:'1',new:'two'},"
                + "{old:'two',new:'2',all:true}]}"));
    assertEquals("2\n2\n", place.content("a.txt"));
  }

  @Test
  void oneFailedEditMeansThatNoneIsMade() throws IOException {
    place.known("a.txt", "one\ntwo\n");
    assertEquals(
        "edit 2 of 2: 'old' was not found in a.txt, and no line of it is like \"nine\"; read the"
            + " file again (as the edits before it left it). None of the edits was made.",
        place.error("edit", "{path:'a.txt', edits:[{old:'one',new:'1'},{old:'nine',new:'9'}]}"));
    assertEquals("one\ntwo\n", place.content("a.txt"));
  }

  @Test
  void severalOccurrencesAreRefusedWithTheirLines() throws IOException {
    place.known("a.txt", "x = 1\ny = 1\nx = 1\n");
    assertEquals(
        "'old' occurs 2 times in a.txt, on lines 1, 3; add what stands around the one that is"
            + " meant, or set 'all'. The file is unchanged.",
        place.error("edit", edit("a.txt", "x = 1", "x = 2")));
    place.known("b.txt", "aaa");
    assertHas("'old' occurs 2 times in b.txt", place.error("edit", edit("b.txt", "aa", "b")));
  }

  @Test
  void everyByteThatIsNotNamedStaysAsItWas() throws IOException {
    byte[] before = latin1("\u00EF\u00BB\u00BFone\r\ntw\u00E9\nthree\rfour\0\u00FF\u00FE end");
    place.known("a.txt", before);
    place.ok("edit", edit("a.txt", "three", "3"));
    assertArrayEquals(
        latin1("\u00EF\u00BB\u00BFone\r\ntw\u00E9\n3\rfour\0\u00FF\u00FE end"), bytes("a.txt"));
  }

  @Test
  void randomEditsOfRandomBytesChangeNothingElse() throws IOException {
    long seed = Seed.get(EditToolTest.class);
    Random random = new Random(seed);
    byte[] alphabet = latin1("ab\r\n\u00E9\u00C3\u00A9\uFEFF\0 ");
    for (int round = 0; round < 60; round++) {
      byte[] content = new byte[random.nextInt(200) + 20];
      for (int i = 0; i < content.length; i++) {
        content[i] = alphabet[random.nextInt(alphabet.length)];
      }
      String mark = "<mark " + round + ">";
      int at = random.nextInt(content.length);
      byte[] marked = spliced(content, at, latin1(mark));
      place.known("r.bin", marked);
      ToolResult result =
          place.call(
              "edit",
              Workplace.json("{path:'r.bin', edits:[{old:'" + mark + "', new:'<other>'}]}"));
      assertFalse(result.error(), "seed " + seed + ", round " + round + ": " + result.text());
      assertArrayEquals(spliced(content, at, latin1("<other>")), bytes("r.bin"), "seed " + seed);
    }
  }

  private static byte[] spliced(byte[] content, int at, byte[] part) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(content, 0, at);
    out.writeBytes(part);
    out.write(content, at, content.length - at);
    return out.toByteArray();
  }

  @Test
  void aFileWithCrlfIsMatchedAndWrittenSoAndThatIsSaid() throws IOException {
    place.known("a.txt", "one\r\ntwo\r\nthree\r\n");
    assertEquals(
        "edited a.txt: line 1\n@@ -1,3 +1,4 @@\n-one\n-two\n+1\n+2\n+2.5\n three\n"
            + "[the lines there end in CRLF: matched and written so]",
        place.ok("edit", edit("a.txt", "one\ntwo\n", "1\n2\n2.5\n")));
    assertEquals("1\r\n2\r\n2.5\r\nthree\r\n", place.content("a.txt"));
    assertHas(
        "\n[the file's lines end in CRLF: the new ones were written so]",
        place.ok("edit", edit("a.txt", "three", "3\n4")));
    assertEquals("1\r\n2\r\n2.5\r\n3\r\n4\r\n", place.content("a.txt"));
  }

  @Test
  void lineEndsThatOccurExactlyAreNotAdapted() throws IOException {
    place.known("a.txt", "one\r\ntwo\r\none\ntwo\n");
    assertHas("edited a.txt: line 3\n", place.ok("edit", edit("a.txt", "one\ntwo", "1\n2")));
    assertEquals("one\r\ntwo\r\n1\n2\n", place.content("a.txt"));
    place.known("b.txt", "one\r\ntwo\r\n");
    place.ok("edit", "{path:'b.txt', edits:[{old:'\\r\\n', new:'\\n', all:true}]}");
    assertEquals("one\ntwo\n", place.content("b.txt"));
  }

  @Test
  void textOfAFileThatIsNoUtf8IsWrittenAsReadShowsIt() throws IOException {
    place.known("a.txt", latin1("caf\u00E9 cr\u00E8me\n"));
    assertEquals(
        "edited a.txt: line 1\n@@ -1 +1 @@\n-caf\u00E9 cr\u00E8me\n+th\u00E9 cr\u00E8me\n"
            + "[the file is not valid UTF-8: the text was taken as ISO-8859-1]",
        place.ok("edit", edit("a.txt", "caf\u00E9", "th\u00E9")));
    assertArrayEquals(latin1("th\u00E9 cr\u00E8me\n"), bytes("a.txt"));
    assertTrue(
        place
            .error("edit", edit("a.txt", "th\u00E9", "\u2192"))
            .startsWith("'new' holds a character that ISO-8859-1"));
  }

  @Test
  void aUtf16FileIsEditedInItsEncoding() throws IOException {
    place.known("a.txt", "\uFEFFone\r\ntwo\r\n".getBytes(StandardCharsets.UTF_16LE));
    place.ok("edit", edit("a.txt", "two", "zw\u00F6lf\nelf"));
    assertArrayEquals(
        "\uFEFFone\r\nzw\u00F6lf\r\nelf\r\n".getBytes(StandardCharsets.UTF_16LE), bytes("a.txt"));
    // One byte further on, the middle of these is the bytes of "ab".
    place.known("b.txt", "\uFEFF\u0100\u6100\u6200".getBytes(StandardCharsets.UTF_16BE));
    assertTrue(place.error("edit", edit("b.txt", "ab", "x")).startsWith("'old' was not found"));
  }

  @Test
  void anEditThatFindsNothingNamesTheNearestLineAndHowItDiffers() throws IOException {
    place.known("a.java", "class A {\n\tint x = 1; \n\tString s = \"a\";\n\tvoid run() {}\n}\n");
    assertEquals(
        "'old' was not found in a.java; line 2 differs in its indentation: the file has"
            + " \"\\tint x = 1; \", 'old' has \"    int x = 1; \". The file is unchanged.",
        place.error("edit", edit("a.java", "    int x = 1; \n", "y")));
    assertHas(
        "line 2 differs in the white space at its end",
        place.error("edit", edit("a.java", "\tint x = 1;\n\tString s", "y")));
    assertHas(
        "line 3 differs in its quotes or dashes",
        place.error("edit", edit("a.java", "String s = \u201Ca\u201D;", "y")));
    assertHas(
        "line 4 differs in white space",
        place.error("edit", edit("a.java", "void  run()  {}", "y")));
    assertEquals(
        "'old' was not found in a.java; its first 2 lines are at line 1, but then line 3 is"
            + " \"\\tString s = \\\"a\\\";\" where 'old' has \"\\tString t;\". The file is"
            + " unchanged.",
        place.error("edit", edit("a.java", "class A {\n\tint x = 1; \n\tString t;\n", "y")));
    assertEquals(
        "'old' was not found in a.java; the nearest to \"void ran() {}\" is line 4:"
            + " \"\\tvoid run() {}\". The file is unchanged.",
        place.error("edit", edit("a.java", "void ran() {}", "y")));
  }

  @Test
  void lineEndsThatDifferAreNamed() throws IOException {
    place.known("a.txt", "one\ntwo\n");
    String text = place.error("edit", edit("a.txt", "one\r\ntwo\r\n", "x"));
    assertTrue(text.contains("line 1 differs in its line end (CRLF and LF)"), text);
    place.known("b.txt", "one\r\ntwo\nthree\r\n");
    text = place.error("edit", edit("b.txt", "one\ntwo\nthree\n", "x"));
    assertTrue(text.contains("line 1 differs in its line end (CRLF and LF)"), text);
  }

  @Test
  void anEmptyOldAndAnEditThatChangesNothingAreRefused() throws IOException {
    place.known("a.txt", "one\n");
    assertHas("'old' is empty", place.error("edit", edit("a.txt", "", "x")));
    assertHas("are the same", place.error("edit", edit("a.txt", "one", "one")));
    assertHas("'edits' is empty", place.error("edit", "{path:'a.txt', edits:[]}"));
  }

  @Test
  void aFileThatIsTooLargeIsRefusedNamingTheBound() throws IOException {
    place.known("a.txt", new byte[EditTool.MAX_FILE_BYTES + 1]);
    assertEquals(
        "a.txt has 16777217 bytes; edit takes files of at most 16777216; change it by a command",
        place.error("edit", edit("a.txt", "a", "b")));
    place.known("b.txt", "a".repeat(100_000));
    Map<String, Object> grow =
        Map.of(
            "path",
            "b.txt",
            "edits",
            List.of(Map.of("old", "a", "new", "b".repeat(1_000), "all", true)));
    assertTrue(place.error("edit", grow).startsWith("b.txt would be larger than 16777216 bytes"));
  }

  @Test
  void aPatternThatRepeatsItselfIsFoundInLinearTime() throws IOException {
    place.known("a.txt", "a".repeat(8_000_000));
    String text = place.error("edit", edit("a.txt", "a".repeat(400_000) + "b", "x"));
    assertTrue(text.startsWith("'old' was not found"), text);
  }

  @Test
  void modeBitsSurvive() throws IOException {
    Path file = place.known("run.sh", "one\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x--x"));
    place.ok("edit", edit("run.sh", "one", "two"));
    assertEquals("rwxr-x--x", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
  }

  @Test
  void aMissingFileIsNotMadeNorItsDirectories() {
    assertEquals(
        "d/a.txt is not there; write makes a new file",
        place.error("edit", edit("d/a.txt", "a", "b")));
    assertFalse(Files.exists(place.cwd.resolve("d")));
  }

  @Test
  void anEditOutsideTheWorkingDirectoryIsRefusedNamingIt() throws IOException {
    Files.writeString(place.work.resolve("shared"), "one");
    Files.createSymbolicLink(place.cwd.resolve("link"), place.work.resolve("shared"));
    for (String path : List.of("../../shared", place.work + "/shared", "link")) {
      String text = place.error("edit", edit(path, "one", "two"));
      assertTrue(text.contains(place.cwd.toString()), text);
    }
    assertEquals("one", Files.readString(place.work.resolve("shared")));
  }

  /** Each reads and edits until its own edit is made: who was overtaken is told to read again. */
  @Test
  void twoEditsOfOneFileAtTheSameTimeLoseNothing() throws Exception {
    int threads = 8;
    StringBuilder content = new StringBuilder();
    for (int i = 0; i < threads; i++) {
      content.append("<").append(i).append(">\n");
    }
    place.file("a.txt", content.toString());
    List<Thread> all = new ArrayList<>();
    AtomicInteger overtaken = new AtomicInteger();
    for (int i = 0; i < threads; i++) {
      Workplace conversation = place.another();
      String input = "{path:'a.txt', edits:[{old:'<" + i + ">', new:'done'}]}";
      all.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    ToolResult result;
                    do {
                      conversation.ok("read", "{path:'a.txt'}");
                      result = conversation.call("edit", Workplace.json(input));
                      overtaken.addAndGet(result.error() ? 1 : 0);
                    } while (result.error() && result.text().contains("read it again"));
                  }));
    }
    for (Thread thread : all) {
      thread.join();
    }
    assertEquals("done\n".repeat(threads), place.content("a.txt"), overtaken::toString);
  }

  @Test
  void oneEditIsTakenWithoutItsListAndByTheNamesOfOtherTools() throws IOException {
    place.known("a.txt", "one\n");
    place.ok("edit", "{file_path:'a.txt', old_string:'one', new_string:'two'}");
    assertEquals("two\n", place.content("a.txt"));
    place.ok("edit", "{path:'a.txt', edits:'[{\"old\":\"two\",\"new\":\"three\"}]'}");
    assertEquals("three\n", place.content("a.txt"));
  }
}
