package harness.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.workspace.MemoryDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is larger than any memory is told of at once, or changed without being read. */
class BoundedFilesTest {
  private static final Duration AT_ONCE = Duration.ofSeconds(20);
  private static final int MANY = 200_000;

  @TempDir(factory = MemoryDirectory.class)
  Path temporary;

  private Workplace place;

  @BeforeEach
  void open() throws IOException {
    place = Workplace.in(temporary);
  }

  private String call(String tool, Map<String, ?> input) {
    ToolResult result =
        assertTimeoutPreemptively(
            AT_ONCE, () -> place.call(tool, Workplace.tree(input)), () -> tool + " " + input);
    assertTrue(result.text().getBytes(StandardCharsets.UTF_8).length <= ToolBox.MAX_RESULT_BYTES);
    return result.text();
  }

  private static void assertHas(String part, String text) {
    assertTrue(text.contains(part), text.substring(0, Math.min(500, text.length())));
  }

  @Test
  void aSparseFileOfTenGigabytesIsBoundedInEveryTool() throws IOException {
    Path file = place.file("big", "one\n");
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[] {1}), 10_000_000_000L);
    }
    assertEquals(
        "[big is a binary file of 10000000001 bytes; it is not shown]",
        call("read", Map.of("path", "big")));
    assertHas("big  10000000001", call("list", Map.of()));
    assertHas(
        "edit takes files of at most 16777216",
        call("edit", Map.of("path", "big", "edits", Map.of("old", "one", "new", "x"))));
    assertHas(
        "apply_patch takes files of at most 8388608",
        call("apply_patch", Map.of("patch", "--- big\n+++ big\n@@ -1 +1 @@\n-one\n+x\n")));
    assertEquals("moved big to d/big", call("move", Map.of("from", "big", "to", "d/big")));
    assertEquals("deleted d/big", call("delete", Map.of("path", "d/big")));
  }

  @Test
  void aTextOfTenGigabytesIsReadFromItsBeginningAlone() throws IOException {
    Path file = place.file("big", "one\n".repeat(100_000));
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[] {1}), 10_000_000_000L);
    }
    assertHas("     7\tone\n", call("read", Map.of("path", "big", "offset", 7, "limit", 2)));
    assertEquals(
        "line 2000000000 of big is further than read looks: the first 268435456 bytes have 100001"
            + " lines",
        call("read", Map.of("path", "big", "offset", 2_000_000_000)));
    assertEquals("replaced big: 1 bytes", call("write", Map.of("path", "big", "content", "x")));
  }

  @Test
  void aDirectoryOfTwoHundredThousandEntriesIsBoundedInEveryTool() throws IOException {
    Path many = Files.createDirectory(place.cwd.resolve("many"));
    for (int i = 0; i < MANY; i++) {
      Files.createFile(many.resolve("f" + i));
    }
    assertHas("1000 of 200000 entries are shown", call("list", Map.of("path", "many")));
    assertHas("is a directory", call("read", Map.of("path", "many")));
    assertEquals(
        "created many/new: 1 bytes", call("write", Map.of("path", "many/new", "content", "x")));
    call("read", Map.of("path", "many/f1"));
    assertHas("replaced many/f1", call("write", Map.of("path", "many/f1", "content", "x")));
    assertHas(
        "edited many/f1",
        call("edit", Map.of("path", "many/f1", "edits", Map.of("old", "x", "new", "y"))));
    assertHas(
        "changed many/f1",
        call("apply_patch", Map.of("patch", "--- many/f1\n+++ many/f1\n@@ -1 +1 @@\n-y\n+z\n")));
    assertHas("more than 10000 entries below it", call("delete", Map.of("path", "many")));
    assertEquals("moved many to d/many", call("move", Map.of("from", "many", "to", "d/many")));
    assertEquals("deleted d/many/f2", call("delete", Map.of("path", "d/many/f2")));
  }
}
