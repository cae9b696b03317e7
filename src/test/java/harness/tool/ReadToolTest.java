package harness.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ReadToolTest {
  private Workplace place;

  @BeforeEach
  void open(@TempDir Path base) throws IOException {
    place = Workplace.in(base);
  }

  @Test
  void linesAreShownWithTheirNumbers() throws IOException {
    place.file("a.txt", "one\n\nthree\n");
    assertEquals("     1\tone\n     2\t\n     3\tthree", place.ok("read", "{path:'a.txt'}"));
  }

  @Test
  void aPartIsShownAndHowToGoOn() throws IOException {
    place.file("a.txt", "1\n2\n3\n4\n5\n");
    assertEquals(
        "     2\t2\n     3\t3\n"
            + "[lines 2 to 3 are shown; the file, of 10 bytes, goes on: read it with offset 4]",
        place.ok("read", "{path:'a.txt', offset:2, limit:2}"));
    assertEquals("     5\t5", place.ok("read", "{path:'a.txt', offset:5}"));
  }

  @Test
  void anOffsetPastTheEndIsToldTheNumberOfLines() throws IOException {
    place.file("a.txt", "1\n2\n3");
    assertEquals(
        "offset 4 is past the end: a.txt has 3 lines",
        place.error("read", "{path:'a.txt', offset:4}"));
    place.file("b.txt", "1\n2\n3\n");
    assertEquals(
        "offset 900 is past the end: b.txt has 3 lines",
        place.error("read", "{path:'b.txt', offset:900}"));
  }

  @Test
  void anEmptyFileIsSaidToBe() throws IOException {
    place.file("a.txt", "");
    assertEquals("[a.txt is empty]", place.ok("read", "{path:'a.txt'}"));
  }

  @Test
  void twoThousandLinesAreShownUnlessFewerAreAskedFor() throws IOException {
    place.file("a.txt", "x\n".repeat(2_001));
    String text = place.ok("read", "{path:'a.txt'}");
    assertTrue(text.contains("  2000\tx\n[lines 1 to 2000 "), text.substring(text.length() - 200));
    assertTrue(text.endsWith("read it with offset 2001]"), text.substring(text.length() - 200));
  }

  @Test
  void aReadThatIsTooLargeStopsAtALineAndSaysWhereToGoOn() throws IOException {
    place.file("a.txt", ("y".repeat(999) + "\n").repeat(200));
    ToolResult result = place.call("read", Workplace.json("{path:'a.txt'}"));
    assertTrue(result.truncated());
    assertTrue(utf8(result.text()) <= ToolBox.MAX_RESULT_BYTES);
    String next = result.text().replaceAll("(?s).*offset (\\d+)].*", "$1");
    assertTrue(result.text().contains("\n" + "    " + (Integer.parseInt(next) - 1) + "\ty"));
    assertTrue(
        place.ok("read", "{path:'a.txt', offset:" + next + "}").startsWith("    " + next + "\ty"));
  }

  @Test
  void aLongLineIsCutAndTheCutIsSaid() throws IOException {
    place.file("a.txt", "short\n" + "z".repeat(5_000) + "\nend\n");
    String text = place.ok("read", "{path:'a.txt'}");
    assertTrue(text.contains("     2\t" + "z".repeat(2_000) + " [3000 more characters]\n"), text);
    assertTrue(text.contains("     3\tend\n[cut to 2000 characters: line 2; grep shows"), text);
  }

  @Test
  void aFileOfOneHundredMegabytesInOneLineAnswersAtOnceAndBounded() throws IOException {
    Path file = place.file("big.txt", "");
    ByteBuffer block =
        ByteBuffer.wrap("abcdefgh".repeat(128 * 1024).getBytes(StandardCharsets.US_ASCII));
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      for (int i = 0; i < 100; i++) {
        channel.write(block.rewind());
      }
    }
    String text =
        assertTimeoutPreemptively(
            Duration.ofSeconds(10), () -> place.ok("read", "{path:'big.txt'}"));
    assertTrue(text.contains(" [104855600 more characters]"), text.substring(2_000));
    assertTrue(text.length() < 3_000);
  }

  @Test
  void aSparseFileOfTenGigabytesIsSaidToBeBinary() throws IOException {
    Path file = place.file("sparse", "");
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[] {1}), 10_000_000_000L);
    }
    assertEquals(
        "[sparse is a binary file of 10000000001 bytes; it is not shown]",
        place.ok("read", "{path:'sparse'}"));
  }

  @Test
  void aBinaryIsDescribedInsteadOfShown() throws IOException {
    place.file("a.png", "\u0089PNG\r\n\u001A\n\0\0".getBytes(StandardCharsets.ISO_8859_1));
    assertEquals(
        "[a.png is a PNG image of 10 bytes; it is broken or cut off, so no model is handed it]",
        place.ok("read", "{path:'a.png'}"));
    place.file("a.bin", new byte[] {'a', 0, 'b'});
    assertEquals(
        "[a.bin is a binary file of 3 bytes; it is not shown]", place.ok("read", "{path:'a.bin'}"));
  }

  @Test
  void bytesThatAreNoUtf8AreShownOneToOne() throws IOException {
    place.file("a.txt", "caf\u00E9\n".getBytes(StandardCharsets.ISO_8859_1));
    assertEquals(
        "     1\tcaf\u00E9\n[not valid UTF-8: bytes are shown one to one as ISO-8859-1]",
        place.ok("read", "{path:'a.txt'}"));
    place.file("b.txt", "caf\u00E9\n");
    assertEquals("     1\tcaf\u00E9", place.ok("read", "{path:'b.txt'}"));
  }

  @Test
  void anInvalidByteFarInAFileDecidesForAllOfIt() throws IOException {
    byte[] bytes = ("\u00E9\n" + "x\n".repeat(100_000) + "?\n").getBytes(StandardCharsets.UTF_8);
    bytes[bytes.length - 2] = (byte) 0xFF;
    place.file("a.txt", bytes);
    assertTrue(place.ok("read", "{path:'a.txt', limit:1}").startsWith("     1\t\u00C3\u00A9\n"));
  }

  @Test
  void utf16WithItsMarkIsDecoded() throws IOException {
    place.file("le.txt", bytes("\uFEFFh\u00E9\r\nyou \uD83D\uDE00\r\n", StandardCharsets.UTF_16LE));
    assertEquals(
        "     1\th\u00E9\n     2\tyou \uD83D\uDE00\n[lines end in CRLF]\n[the file is UTF-16LE]",
        place.ok("read", "{path:'le.txt'}"));
    place.file("be.txt", bytes("\uFEFFhi\n", StandardCharsets.UTF_16BE));
    assertEquals("     1\thi\n[the file is UTF-16BE]", place.ok("read", "{path:'be.txt'}"));
  }

  @Test
  void whatIsNotSeenInTheLinesIsSaid() throws IOException {
    place.file("a.txt", "\uFEFFone\r\ntwo\nthree");
    assertEquals(
        """
             1\tone
             2\ttwo
             3\tthree
        [the last line has no line end]
        [1 of these lines end in CRLF]
        [the file starts with a byte order mark, which is not shown]""",
        place.ok("read", "{path:'a.txt'}"));
  }

  @Test
  void aPathOutsideTheWorkspaceIsRefusedNamingIt() throws IOException {
    Files.writeString(place.outside.resolve("secret"), "secret");
    Files.createSymbolicLink(place.cwd.resolve("link"), place.outside.resolve("secret"));
    for (String path :
        new String[] {place.outside + "/secret", "../../../outside/secret", "link"}) {
      String text = place.error("read", Map.of("path", path));
      assertTrue(text.contains(place.work.toString()), text);
      assertFalse(text.contains("secret\n"), text);
    }
    Files.writeString(place.work.resolve("shared"), "shared");
    assertTrue(place.ok("read", "{path:'../../shared'}").startsWith("     1\tshared"));
  }

  @Test
  void aDirectoryAndAMissingFileAreSaidToBe() {
    assertTrue(place.error("read", "{path:'.'}").contains("is a directory"));
    assertEquals("'nowhere' is not there", place.error("read", "{path:'nowhere'}"));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aFifoASocketAndADeviceAnswerAtOnceSayingWhatTheyAre() throws Exception {
    run("mkfifo", place.cwd.resolve("fifo").toString());
    run("mknod", place.cwd.resolve("zero").toString(), "c", "1", "5");
    assertTimeoutPreemptively(
        Duration.ofSeconds(10),
        () -> {
          assertTrue(place.error("read", "{path:'fifo'}").contains("is a FIFO"));
          assertTrue(place.error("grep", "{path:'fifo', pattern:'x'}").contains("is a FIFO"));
          assertTrue(
              place
                  .error("edit", "{path:'fifo', edits:[{old:'a',new:'b'}]}")
                  .contains("is a FIFO"));
          assertTrue(place.error("write", "{path:'fifo', content:'b'}").contains("is a FIFO"));
          assertTrue(place.error("read", "{path:'zero'}").contains("is a device"));
          assertEquals("fifo (FIFO)\nzero (device)", place.ok("list", "{}"));
          assertTrue(place.ok("grep", "{pattern:'x'}").startsWith("[no match in .; 0 files"));
        });
  }

  @Test
  void namesThatAreNoUtf8AreListedReadAndEdited() throws Exception {
    String name = "caf\\xE9.txt";
    run("bash", "-c", "cd '" + place.cwd + "' && echo old > $'caf\\xe9.txt' && echo b > $'a\\nb'");
    assertEquals("a\\x0Ab  2\n" + name + "  4", place.ok("list", "{}"));
    assertEquals("     1\told", place.ok("read", Map.of("path", name)));
    assertEquals("     1\tb", place.ok("read", Map.of("path", "a\\x0Ab")));
    place.ok("edit", Map.of("path", name, "edits", Map.of("old", "old", "new", "new")));
    assertEquals(name + ":1:new", place.ok("grep", "{pattern:new}".replace("new", "'new'")));
    assertEquals("a\\x0Ab\n" + name, place.ok("glob", "{pattern:'*'}"));
  }

  private static void run(String... command) throws IOException, InterruptedException {
    assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor());
  }

  private static byte[] bytes(String text, Charset charset) {
    return text.getBytes(charset);
  }

  private static int utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
