package harness.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.workspace.FileHandle;
import harness.workspace.FileKind;
import harness.workspace.FileStatus;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GrepToolTest {
  private Workplace place;

  @BeforeEach
  void open(@TempDir Path base) throws IOException {
    place = Workplace.in(base);
    place.file("a.txt", "one\ntwo\nthree\n");
    place.file("src/B.java", "class B {\r\n  int one;\r\n}\r\n");
  }

  private String grep(String pattern) {
    return place.ok("grep", Map.of("pattern", pattern));
  }

  @Test
  void linesThatMatchAreShownWithPathAndNumber() {
    assertEquals("a.txt:1:one\nsrc/B.java:2:  int one;", grep("one"));
    assertEquals("a.txt:2:two\na.txt:3:three", grep("^t\\w+$"));
    assertEquals("src/B.java:2:  int one;", grep("one;$"));
  }

  @Test
  void filesAndCountsAreOtherModes() {
    assertEquals("a.txt\nsrc/B.java", place.ok("grep", "{pattern:'one', mode:'files'}"));
    assertEquals(
        "a.txt:3\nsrc/B.java:1\n[4 lines in 2 files]",
        place.ok("grep", "{pattern:'[nwh]', mode:'count'}"));
  }

  @Test
  void contextIsShownAroundMatches() throws IOException {
    place.file("c.txt", "1\n2\n3 x\n4\n5 x\n6\n7\n8\n9\n10 x\n");
    assertEquals(
        "c.txt-2-2\nc.txt:3:3 x\nc.txt-4-4\nc.txt:5:5 x\nc.txt-6-6\n--\nc.txt-9-9\nc.txt:10:10 x",
        place.ok("grep", "{pattern:'x', path:'c.txt', context:1}"));
  }

  @Test
  void fixedTextAndLettersOfAnyCase() throws IOException {
    place.file("c.txt", "a.b\naxb\nA.B\n");
    assertEquals("c.txt:1:a.b", place.ok("grep", "{pattern:'a.b', fixed:true}"));
    assertEquals(
        "c.txt:1:a.b\nc.txt:3:A.B",
        place.ok("grep", "{pattern:'a.b', fixed:true, ignore_case:true}"));
    assertEquals(
        "c.txt:1:a.b\nc.txt:2:axb\nc.txt:3:A.B",
        place.ok("grep", "{pattern:'a.b', ignore_case:'true'}"));
  }

  @Test
  void aFilterNamesFilesAnywhereOrPathsFromTheStart() throws IOException {
    place.file("src/deep/C.java", "one\n");
    String deep = "src/B.java:2:  int one;\nsrc/deep/C.java:1:one";
    assertEquals(deep, place.ok("grep", "{pattern:'one', glob:'*.java'}"));
    assertEquals(deep, place.ok("grep", "{pattern:'one', glob:'src/**/*.java'}"));
    assertEquals(
        "src/B.java:2:  int one;", place.ok("grep", "{pattern:'one', glob:'/src/*.java'}"));
    assertEquals("a.txt:1:one", place.ok("grep", "{pattern:'one', glob:'*.{txt,md}'}"));
  }

  @Test
  void aPatternThatStartsWithADashIsJustAPattern() throws IOException {
    place.file("c.txt", "--force\n");
    assertEquals("c.txt:1:--force", grep("--force"));
    assertEquals("c.txt:1:--force", grep("-"));
  }

  @Test
  void aPatternThatIsNoExpressionIsRefusedWithTheMend() throws IOException {
    place.file("c.txt", "f(x\n");
    assertEquals(
        "the pattern is no regular expression: error parsing regexp: missing closing ): `f(`; to"
            + " find it as it stands, set fixed: true",
        place.error("grep", "{pattern:'f('}"));
    assertEquals("c.txt:1:f(x", place.ok("grep", "{pattern:'f(', fixed:true}"));
    assertTrue(place.error("grep", "{pattern:'(?=x)'}").contains("set fixed: true"));
    assertTrue(place.error("grep", "{pattern:''}").contains("'pattern' is empty"));
    assertTrue(place.error("grep", "{pattern:'a\\nb'}").contains("holds a line end"));
  }

  @Test
  void aPatternThatMakesABacktrackingEngineHangAnswersInTime() throws IOException {
    place.file("c.txt", "a".repeat(100_000) + "\n");
    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> {
          assertTrue(grep("^(a+)+$b").startsWith("[no match"));
          assertTrue(grep("(a|aa)*(a|aa)*Q").startsWith("[no match"));
          String large = "(((((x{1000}){1000}){1000})))";
          assertTrue(
              place.error("grep", Map.of("pattern", large)).contains("the pattern is too large"));
          assertTrue(
              place
                  .error("grep", Map.of("pattern", "(".repeat(2_000) + "a" + ")".repeat(2_000)))
                  .contains("the pattern is too large"));
        });
  }

  @Test
  void binaryFilesAreSkippedAndThatIsSaidWhereNothingWasFound() throws IOException {
    place.file("c.bin", "needle\0");
    assertEquals("[no match in .; 2 files were searched, 1 binary ones were not]", grep("needle"));
    assertEquals(
        "[no match in c.bin; 0 files were searched, 1 binary ones were not]",
        place.ok("grep", "{pattern:'needle', path:'c.bin'}"));
  }

  @Test
  void whatGitIgnoresIsLeftOutUnlessAskedFor() throws IOException {
    place.file(".gitignore", "*.log\n");
    place.file("c.log", "needle\n");
    place.file(".git/config", "needle\n");
    assertEquals(
        "[no match in .; 3 files were searched; ignored: true looks at what .gitignore excludes,"
            + " too]",
        grep("needle"));
    assertEquals("c.log:1:needle", place.ok("grep", "{pattern:'needle', ignored:true}"));
    assertEquals("c.log:1:needle", place.ok("grep", "{pattern:'needle', path:'c.log'}"));
  }

  @Test
  void linksAreNotFollowedAndNothingOutsideIsSearched() throws IOException {
    Files.writeString(place.outside.resolve("secret"), "needle\n");
    Files.createSymbolicLink(place.cwd.resolve("out"), place.outside);
    Files.createSymbolicLink(place.cwd.resolve("link"), place.outside.resolve("secret"));
    assertTrue(grep("needle").startsWith("[no match"));
    for (String path : new String[] {"link", "out", "../../..", place.outside.toString()}) {
      String text = place.error("grep", Map.of("pattern", "needle", "path", path));
      assertTrue(text.contains(place.work.toString()), text);
    }
  }

  @Test
  void aLongLineShowsWhatIsAroundItsMatch() throws IOException {
    place.file("c.txt", "x".repeat(10_000) + "needle" + "y".repeat(10_000) + "\nneedle\n");
    String text = grep("needle");
    assertTrue(
        text.startsWith("c.txt:1:[...]" + "x".repeat(100) + "needle" + "y".repeat(394) + "[...]\n"),
        text);
    assertTrue(text.contains("\nc.txt:2:needle\n"), text);
    assertTrue(text.contains("[long lines are cut to 500 characters]"), text);
  }

  @Test
  void aLineLongerThanAPieceIsSearchedInPiecesThatOverlap() throws IOException {
    int border = Wanted.PIECE_CHARS;
    place.file("c.txt", "x".repeat(border - 3) + "needle" + "y".repeat(1_000_000) + "end\nnext\n");
    assertTrue(grep("needle").startsWith("c.txt:1:[...]xxx"));
    assertTrue(grep("yend").contains("yend"));
    assertTrue(grep("next").startsWith("c.txt:2:next"));
  }

  @Test
  void aHugeLineIsSearchedSoFarForAnExpressionAndWhollyForText() throws IOException {
    place.file("c.txt", "x".repeat(FileSearch.MAX_EXPRESSION_CHARS + 100_000) + "needle\nneedle\n");
    String text = place.ok("grep", "{pattern:'needle$', path:'c.txt'}");
    assertTrue(text.startsWith("c.txt:2:needle\n"), text);
    assertTrue(text.contains("were searched no further; fixed: true goes on"), text);
    text = place.ok("grep", "{pattern:'needle', path:'c.txt', fixed:true}");
    assertTrue(text.startsWith("c.txt:1:[...]"), text);
  }

  @Test
  void textInOtherEncodingsIsFound() throws IOException {
    place.file("l.txt", "caf\u00E9\n".getBytes(StandardCharsets.ISO_8859_1));
    place.file("u.txt", "\uFEFFcaf\u00E9\n".getBytes(StandardCharsets.UTF_16LE));
    place.file("z.txt", "caf\u00E9\n");
    assertEquals("l.txt:1:caf\u00E9\nu.txt:1:caf\u00E9\nz.txt:1:caf\u00E9", grep("\u00E9$"));
  }

  @Test
  void aLimitEndsTheSearchAndSaysSo() throws IOException {
    place.file("c.txt", "needle\n".repeat(300));
    String text = place.ok("grep", "{pattern:'needle', limit:2}");
    assertEquals(
        "c.txt:1:needle\nc.txt:2:needle\n[the search ended after 2 matching lines; there may be"
            + " more: search for less, in a narrower path or glob, or raise limit]",
        text);
    assertTrue(grep("needle").contains("ended after 200 matching lines"));
    assertEquals(300, place.ok("grep", "{pattern:'needle', limit:'300'}").split("\n").length);
  }

  @Test
  void aResultNeverGrowsPastItsCap() throws IOException {
    place.file("c.txt", ("needle" + "x".repeat(490) + "\n").repeat(2_000));
    ToolResult result = place.call("grep", Workplace.json("{pattern:'needle', limit:2000}"));
    assertTrue(result.truncated());
    assertTrue(result.text().getBytes(StandardCharsets.UTF_8).length <= ToolBox.MAX_RESULT_BYTES);
    assertTrue(result.text().contains("[the search ended after "), result.text());
  }

  /** A file without end that interrupts its reader after some blocks. */
  private static final class Interrupting implements FileHandle {
    private int reads;

    @Override
    public FileStatus status() {
      return new FileStatus(FileKind.FILE, Long.MAX_VALUE, 0, 0, 0, 0);
    }

    @Override
    public int read(ByteBuffer buffer, long position) {
      int count = buffer.remaining();
      buffer.put(new byte[count]).position(0);
      while (buffer.hasRemaining()) {
        buffer.put((byte) 'x');
      }
      if (++reads == 5) {
        Thread.currentThread().interrupt();
      }
      return count;
    }

    @Override
    public void close() {}
  }

  @Test
  void anInterruptEndsASearchInTheMiddleOfALargeFile() throws ToolException {
    FileSearch search = new FileSearch(Wanted.of("y+z", false, false), Search.Mode.CONTENT, 0, 10);
    Interrupting file = new Interrupting();
    assertThrows(InterruptedException.class, () -> search.search(file));
    assertEquals(5, file.reads);
  }

  @Test
  void anInterruptedCallIsCancelledAndTheInterruptStatusKept() {
    Thread.currentThread().interrupt();
    ToolResult result = place.call("grep", Workplace.json("{pattern:'x'}"));
    assertTrue(Thread.interrupted());
    assertTrue(result.error());
    assertTrue(result.text().startsWith("cancelled"), result.text());
  }
}
