package harness.tool;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.workspace.Handles;
import harness.workspace.Interfering;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApplyPatchToolTest {
  private Path base;
  private Workplace place;

  @BeforeEach
  void open(@TempDir Path base) throws IOException {
    this.base = base;
    place = Workplace.in(base);
  }

  private String ok(String patch) {
    return place.ok("apply_patch", Map.of("patch", patch));
  }

  private String error(String patch) {
    return place.error("apply_patch", Map.of("patch", patch));
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

  private List<String> names() throws IOException {
    try (Stream<Path> paths = Files.walk(place.cwd)) {
      return paths
          .filter(Files::isRegularFile)
          .map(path -> place.cwd.relativize(path).toString())
          .sorted()
          .toList();
    }
  }

  private static String numbers(int from, int to) {
    return IntStream.rangeClosed(from, to).mapToObj(i -> i + "\n").collect(Collectors.joining());
  }

  @Test
  void severalFilesAreChangedMadeDeletedAndRenamedAtOnce() throws IOException {
    place.file("src/a.txt", "one\ntwo\nthree\n");
    place.file("old.txt", "x\n");
    place.file("name.sh", "echo\nhi\n");
    Files.setPosixFilePermissions(
        place.cwd.resolve("name.sh"), PosixFilePermissions.fromString("rwxr-xr-x"));
    assertEquals(
        """
        changed src/a.txt (+1 -1)
        created src/new/b.txt (+2 -0)
        deleted old.txt (+0 -1)
        renamed name.sh to bin/other.sh (+1 -1)""",
        ok(
            """
            diff --git a/src/a.txt b/src/a.txt
            index 4cb29ea..2b6e4e5 100644
            --- a/src/a.txt
            +++ b/src/a.txt
            @@ -1,3 +1,3 @@
             one
            -two
            +2
             three
            diff --git a/src/new/b.txt b/src/new/b.txt
            new file mode 100755
            index 0000000..814f4a4
            --- /dev/null
            +++ b/src/new/b.txt
            @@ -0,0 +1,2 @@
            +one
            +two
            diff --git a/old.txt b/old.txt
            deleted file mode 100644
            index 587be6b..0000000
            --- a/old.txt
            +++ /dev/null
            @@ -1 +0,0 @@
            -x
            diff --git a/name.sh b/bin/other.sh
            similarity index 50%
            rename from name.sh
            rename to bin/other.sh
            --- a/name.sh
            +++ b/bin/other.sh
            @@ -1,2 +1,2 @@
             echo
            -hi
            +ho
            """));
    assertEquals(List.of("bin/other.sh", "src/a.txt", "src/new/b.txt"), names());
    assertEquals("one\n2\nthree\n", place.content("src/a.txt"));
    assertEquals("one\ntwo\n", place.content("src/new/b.txt"));
    assertEquals("echo\nho\n", place.content("bin/other.sh"));
    for (String executable : List.of("src/new/b.txt", "bin/other.sh")) {
      assertTrue(Files.isExecutable(place.cwd.resolve(executable)), executable);
    }
  }

  @Test
  void whereOneHunkDoesNotFitNothingIsDone() throws IOException {
    place.file("a.txt", "one\ntwo\n");
    place.file("b.txt", "one\ntwo\n");
    assertEquals(
        "the hunk of b.txt does not fit: line 1 is not \"nine\". The file has there:\n"
            + "     1\tone\n     2\ttwo\n"
            + "Read it again and make the patch anew. Nothing was changed.",
        error(
            """
            --- /dev/null
            +++ b/new/c.txt
            @@ -0,0 +1 @@
            +c
            --- a/a.txt
            +++ b/a.txt
            @@ -1,2 +1,2 @@
            -one
            +1
             two
            --- a/b.txt
            +++ b/b.txt
            @@ -1,2 +1,2 @@
            -nine
            +9
             two
            """));
    assertEquals(List.of("a.txt", "b.txt"), names());
    assertFalse(Files.exists(place.cwd.resolve("new")));
    assertEquals("one\ntwo\n", place.content("a.txt"));
  }

  @Test
  void aHunkThatIsElsewhereAloneIsFoundAndThatIsSaid() throws IOException {
    place.file("a.txt", numbers(1, 40));
    String patch =
        """
        --- a/a.txt
        +++ b/a.txt
        @@ -7,3 +7,3 @@
         9
        -10
        +ten
         11
        @@ -27,3 +27,3 @@
         29
        -30
        +thirty
         31
        """;
    assertEquals(
        "changed a.txt (+2 -2)\n[hunk 1 of 2 was found at line 9, 2 lines below the one that it"
            + " names]",
        ok(patch));
    assertEquals(
        numbers(1, 9) + "ten\n" + numbers(11, 29) + "thirty\n" + numbers(31, 40),
        place.content("a.txt"));
  }

  @Test
  void aHunkThatIsAtSeveralOtherPlacesIsRefused() throws IOException {
    place.file("a.txt", "x\ny\nz\n" + "a\nb\n" + "q\n" + "a\nb\n");
    String patch = "--- a/a.txt\n+++ b/a.txt\n@@ -%s,2 +1,2 @@\n a\n-b\n+c\n";
    assertEquals(
        "the hunk of a.txt is not at line 1, where it belongs, and fits at several other places,"
            + " lines 4 and 7 among them; give more context. Nothing was changed.",
        error(patch.formatted(1)));
    ok(patch.formatted(7));
    assertEquals("x\ny\nz\na\nb\nq\na\nc\n", place.content("a.txt"));
    place.file("b.txt", "a\nb\na\nb\n");
    assertHas("names no line and fits at several", error("--- b.txt\n+++ b.txt\n@@\n a\n-b\n"));
  }

  @Test
  void hunksFitFromTheTopDownAlone() throws IOException {
    place.file("a.txt", "a\nb\nc\n");
    assertHas(
        "hunk 2 of 2 of a.txt does not fit",
        error("--- a.txt\n+++ a.txt\n@@ -3 +3 @@\n-c\n+C\n@@ -1 +1 @@\n-a\n+A\n"));
    assertEquals("a\nb\nc\n", place.content("a.txt"));
  }

  @Test
  void crlfIsKeptWhetherThePatchHasItOrNot() throws IOException {
    String plain = "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,3 @@\n one\n-two\n+2\n+3\n";
    for (String patch :
        List.of(
            plain,
            plain.replace("\n", "\r\n"),
            plain
                .replace("one\n", "one\r\n")
                .replace("two\n", "two\r\n")
                .replace("2\n", "2\r\n")
                .replace("+3\n", "+3\r\n"))) {
      place.file("a.txt", "one\r\ntwo\r\nend\r\n");
      ok(patch);
      assertEquals("one\r\n2\r\n3\r\nend\r\n", place.content("a.txt"), patch);
    }
    place.file("a.txt", "one\ntwo\nend\r\n");
    ok(plain);
    assertEquals("one\n2\n3\nend\r\n", place.content("a.txt"));
  }

  @Test
  void everyByteThatIsNotNamedStaysAsItWas() throws IOException {
    byte[] before = latin1("\u00EF\u00BB\u00BFone\r\ntw\u00E9\nthree\nfour\0\u00FF\u00FE end");
    place.file("a.txt", before);
    ok("--- a.txt\n+++ a.txt\n@@ -3 +3 @@\n-three\n+3\n");
    assertArrayEquals(
        latin1("\u00EF\u00BB\u00BFone\r\ntw\u00E9\n3\nfour\0\u00FF\u00FE end"), bytes("a.txt"));
  }

  @Test
  void aByteOrderMarkStays() throws IOException {
    place.file("a.txt", "\uFEFFone\ntwo\n");
    ok("--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n-one\n+1\n two\n");
    assertEquals("\uFEFF1\ntwo\n", place.content("a.txt"));
    place.file("b.txt", "\uFEFFone\r\ntwo\r\n".getBytes(StandardCharsets.UTF_16LE));
    ok("--- b.txt\n+++ b.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+zw\u00F6lf\n");
    assertArrayEquals(
        "\uFEFFone\r\nzw\u00F6lf\r\n".getBytes(StandardCharsets.UTF_16LE), bytes("b.txt"));
  }

  @Test
  void textOfAFileThatIsNoUtf8IsTakenAsReadShowsItOrAsUtf8() throws IOException {
    place.file("a.txt", latin1("caf\u00E9\ntwo\n"));
    ok("--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n caf\u00E9\n-two\n+th\u00E9\n");
    assertArrayEquals(latin1("caf\u00E9\nth\u00E9\n"), bytes("a.txt"));
    byte[] mixed = latin1("\u00FF\ncaf\u00C3\u00A9\n");
    place.file("b.txt", mixed);
    ok("--- b.txt\n+++ b.txt\n@@ -2 +2 @@\n-caf\u00E9\n+th\u00E9 \u2192\n");
    assertArrayEquals(latin1("\u00FF\nth\u00C3\u00A9 \u00E2\u0086\u0092\n"), bytes("b.txt"));
  }

  @Test
  void aMissingLastLineEndIsAsThePatchSays() throws IOException {
    place.file("a.txt", "one\ntwo");
    ok("--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n\\ No newline at end of file\n+2\n");
    assertEquals("one\n2\n", place.content("a.txt"));
    ok("--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n one\n-2\n+two\n\\ No newline at end of file\n");
    assertEquals("one\ntwo", place.content("a.txt"));
    assertHas(
        "the patch says that the file ends there without a line end, and it does not",
        error("--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n-one\n\\ No newline at end of file\n+1\n"));
  }

  @Test
  void aMissingLastLineEndThatThePatchDoesNotTellOfStays() throws IOException {
    place.file("a.txt", "one\ntwo");
    ok("--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n-one\n+1\n two\n");
    assertEquals("1\ntwo", place.content("a.txt"));
    assertHas(
        "left the file without an end of its last line, as it was",
        ok("--- a.txt\n+++ a.txt\n@@ -1,2 +1,3 @@\n 1\n-two\n+2\n+3\n"));
    assertEquals("1\n2\n3", place.content("a.txt"));
    ok("--- a.txt\n+++ a.txt\n@@ -3 +3,2 @@\n 3\n+4\n");
    assertEquals("1\n2\n3\n4", place.content("a.txt"));
  }

  @Test
  void linesThatAreCountedWronglyOrBlankAreTakenByTheirMarks() throws IOException {
    place.file("a.txt", "one\n\ntwo\nthree\n");
    assertEquals(
        "changed a.txt (+2 -1)\n[the hunk was read by its lines: its header counts them wrongly]",
        ok(
            "Some words.\n\n--- a/a.txt\n+++ b/a.txt\n@@ -1,9 +1,7 @@ head\n one\n\n-two\n+2\n+3\n"
                + "\n"));
    assertEquals("one\n\n2\n3\nthree\n", place.content("a.txt"));
  }

  @Test
  void aLineThatLooksLikeAHeaderIsOneOfTheHunkByItsCount() throws IOException {
    place.file("a.sql", "-- a comment\nselect\n");
    ok("--- a.sql\n+++ a.sql\n@@ -1,2 +1,2 @@\n--- a comment\n+++ b\n select\n");
    assertEquals("++ b\nselect\n", place.content("a.sql"));
  }

  @Test
  void pathsAreReadAsGitAndOthersWriteThem() throws IOException {
    for (String name : List.of("a b.txt", "\u00E9.txt", "q\"t.txt", "a/b/x.txt")) {
      place.file(name, "one\n");
    }
    String hunk = "@@ -1 +1 @@\n-one\n+two\n";
    ok("--- a/a b.txt\t2026-01-01 00:00:00\n+++ b/a b.txt\t\n" + hunk);
    ok("--- \"a/\\303\\251.txt\"\n+++ \"b/\\303\\251.txt\"\n" + hunk);
    ok(
        "diff --git \"a/q\\\"t.txt\" \"b/q\\\"t.txt\"\n--- \"a/q\\\"t.txt\"\n+++ \"b/q\\\"t.txt\"\n"
            + hunk);
    ok("--- a/b/x.txt\n+++ a/b/x.txt\n" + hunk);
    for (String name : List.of("a b.txt", "\u00E9.txt", "q\"t.txt", "a/b/x.txt")) {
      assertEquals("two\n", place.content(name), name);
    }
    ok("--- i/a/b/x.txt\n+++ w/a/b/x.txt\n@@ -1 +1 @@\n-two\n+three\n");
    ok("--- a/b/x.txt.orig\n+++ a/b/x.txt\n@@ -1 +1 @@\n-three\n+four\n");
    ok(
        "--- "
            + place.cwd
            + "/a/b/x.txt\n+++ "
            + place.cwd
            + "/a/b/x.txt\n@@ -1 +1 @@\n-four\n+5\n");
    assertEquals("5\n", place.content("a/b/x.txt"));
  }

  @Test
  void filesThatChangePlacesAreRenamed() throws IOException {
    place.file("a", "1\n");
    place.file("b", "2\n");
    String rename =
        "diff --git a/%1$s b/%2$s\nsimilarity index 100%%\nrename from %1$s\nrename to %2$s\n";
    ok(rename.formatted("a", "b") + rename.formatted("b", "c"));
    assertEquals(List.of("b", "c"), names());
    assertEquals("1\n", place.content("b"));
    assertEquals("2\n", place.content("c"));
    ok(rename.formatted("b", "c") + rename.formatted("c", "b"));
    assertEquals("2\n", place.content("b"));
    assertEquals("1\n", place.content("c"));
  }

  @Test
  void aCopyLeavesWhatItCopies() throws IOException {
    place.file("a", "1\n");
    ok(
        "diff --git a/a b/b\nsimilarity index 50%\ncopy from a\ncopy to b\n--- a/a\n+++ b/b\n"
            + "@@ -1 +1,2 @@\n 1\n+2\n");
    assertEquals("1\n", place.content("a"));
    assertEquals("1\n2\n", place.content("b"));
  }

  @Test
  void modesAndEmptyFilesAreChangedAndMade() throws IOException {
    place.file("run", "x\n");
    ok(
        "diff --git a/run b/run\nold mode 100644\nnew mode 100755\n"
            + "diff --git a/empty b/empty\nnew file mode 100644\nindex 0000000..e69de29\n");
    assertTrue(Files.isExecutable(place.cwd.resolve("run")));
    assertEquals("", place.content("empty"));
    ok(
        "diff --git a/run b/run\nold mode 100755\nnew mode 100644\n"
            + "diff --git a/empty b/empty\ndeleted file mode 100644\nindex e69de29..0000000\n");
    assertEquals(
        "rw-r--r--",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(place.cwd.resolve("run"))));
    assertEquals(List.of("run"), names());
  }

  @Test
  void whatItCantDoIsRefusedByName() throws IOException {
    place.file("a", "1\n");
    place.file("b", "1\n");
    assertHas(
        "is binary in this patch", error("diff --git a/a b/a\nBinary files a/a and b/a differ\n"));
    assertHas("is binary in this patch", error("Binary files x/a and y/a differ\n"));
    assertHas("is binary", error("diff --git a/a b/a\nindex 1..2 100644\nGIT binary patch\n"));
    assertHas("(mode 120000)", error("diff --git a/l b/l\nnew file mode 120000\n"));
    assertHas("compare a merge", error("--- a/a\n+++ b/a\n@@@ -1 -1 +1 @@@\n"));
    assertHas("this is no unified diff", error("*** Begin Patch\n*** Update File: a\n"));
    assertHas("the patch has no file in it", error("hello\n"));
    assertHas("no file's --- and +++ lines", error("@@ -1 +1 @@\n-1\n+2\n"));
    assertHas("has no lines", error("--- a\n+++ a\n@@ -1 +1 @@\n"));
    assertHas("names no file on either side", error("--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n"));
    String hunk = "@@ -1 +1 @@\n-1\n+2\n";
    assertHas("changes 'a' twice", error(("--- a\n+++ a\n" + hunk).repeat(2)));
    assertHas("twice", error("--- a\n+++ a\n" + hunk + "--- ./a\n+++ ./a\n" + hunk));
    assertHas("'gone' is not there", error("--- gone\n+++ gone\n" + hunk));
    assertHas("'gone' is not there", error("--- gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n"));
    assertHas("'a' is there already", error("--- /dev/null\n+++ a\n@@ -0,0 +1 @@\n+2\n"));
    assertHas(
        "'b' is there already",
        error("diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\n"));
    place.file("a", "1\n2\n");
    assertHas("2 bytes more than it shows", error("--- a\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n"));
    assertHas(
        "without showing its lines",
        error("diff --git a/a b/a\ndeleted file mode 100644\nindex 1..0\n"));
    assertEquals("1\n2\n", place.content("a"));
    assertEquals(List.of("a", "b"), names());
  }

  @Test
  void boundsAreNamed() throws IOException {
    assertHas("at most 4194304 characters", error("x".repeat(4_194_305)));
    String many =
        IntStream.range(0, 201)
            .mapToObj(i -> "--- /dev/null\n+++ f" + i + "\n@@ -0,0 +1 @@\n+x\n")
            .collect(Collectors.joining());
    assertHas("at most 200 files, not 201", error(many));
    place.file("large", new byte[ApplyPatchTool.MAX_FILE_BYTES + 1]);
    assertHas(
        "apply_patch takes files of at most 8388608",
        error("--- large\n+++ large\n@@ -1 +1 @@\n-x\n+y\n"));
    StringBuilder together = new StringBuilder();
    for (int i = 0; i < 5; i++) {
      place.file("l" + i, "x\n".repeat(ApplyPatchTool.MAX_FILE_BYTES / 2));
      together.append("--- l%1$d\n+++ l%1$d\n@@ -1,2 +1,2 @@\n-x\n+y\n x\n".formatted(i));
    }
    assertHas("more than 33554432 bytes together", error(together.toString()));
  }

  @Test
  void linesThatRepeatAreLookedThroughInLinearTime() throws IOException {
    place.file("a.txt", "x\n".repeat(1_000_000));
    assertHas(
        "does not fit",
        error("--- a.txt\n+++ a.txt\n@@ -1,1 +1,1 @@\n" + " x\n".repeat(200_000) + "-y\n"));
  }

  @Test
  void aPathOutsideIsRefusedAndNothingIsDone() throws IOException {
    Files.writeString(place.outside.resolve("secret"), "secret\n");
    Files.writeString(place.work.resolve("shared"), "shared\n");
    Files.createSymbolicLink(place.cwd.resolve("out"), place.outside);
    place.file("a", "1\n");
    String good = "--- a\n+++ a\n@@ -1 +1 @@\n-1\n+2\n";
    for (String path :
        List.of("../x", place.outside + "/secret", "out/secret", "out/new/x", "../../shared")) {
      String changed = "--- %1$s\n+++ %1$s\n@@ -1 +1 @@\n-secret\n+x\n".formatted(path);
      String made = "--- /dev/null\n+++ %1$s\n@@ -0,0 +1 @@\n+x\n".formatted(path);
      String deleted = "--- %1$s\n+++ /dev/null\n@@ -1 +0,0 @@\n-secret\n".formatted(path);
      String renamed = "diff --git a/a b/a\nrename from a\nrename to %s\n".formatted(path);
      for (String patch : List.of(good + changed, good + made, good + deleted, renamed)) {
        assertHas(place.cwd.toString(), error(patch));
      }
    }
    assertHas("git's own", error("--- /dev/null\n+++ b/.git/hooks/x\n@@ -0,0 +1 @@\n+x\n"));
    assertEquals("1\n", place.content("a"));
    assertEquals("secret\n", Files.readString(place.outside.resolve("secret")));
  }

  @Test
  void whatSomebodyWritesWhileThePatchIsAppliedIsLeftAlone() throws IOException {
    Workplace[] self = new Workplace[1];
    Path other = Files.createDirectory(base.resolve("w"));
    Handles busy =
        new Interfering(
            Handles.system(new Random(3)), "temporary", () -> self[0].file("a", "theirs\n"));
    self[0] = Workplace.in(other, busy);
    self[0].file("a", "1\n");
    self[0].file("b", "1\n");
    String hunk = "@@ -1 +1 @@\n-1\n+2\n";
    assertHas(
        "a changed while this call ran",
        self[0].error(
            "apply_patch", Map.of("patch", "--- b\n+++ b\n" + hunk + "--- a\n+++ a\n" + hunk)));
    assertEquals("theirs\n", self[0].content("a"));
    assertEquals("1\n", self[0].content("b"));
  }

  @Test
  void whatIsPatchedIsKnownWhereItWasKnownBefore() throws IOException {
    place.known("a", "1\n");
    place.file("b", "1\n");
    place.known("c", "0\n");
    place.file("c", "1\n");
    String hunk = "@@ -1 +1 @@\n-1\n+2\n";
    ok(
        "--- a/a\n+++ b/a\n"
            + hunk
            + "--- b\n+++ b\n"
            + hunk
            + "--- c\n+++ c\n"
            + hunk
            + "--- /dev/null\n+++ b/d\n@@ -0,0 +1 @@\n+1\n");
    place.ok("write", "{path:'a', content:'x'}");
    place.ok("write", "{path:'d', content:'x'}");
    assertHas("has not read it", place.error("write", "{path:'b', content:'x'}"));
    assertHas("has changed since", place.error("write", "{path:'c', content:'x'}"));
    ok("diff --git a/a b/e\nrename from a\nrename to e\n");
    place.ok("write", "{path:'e', content:'y'}");
  }
}
