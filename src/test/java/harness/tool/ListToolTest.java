package harness.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.workspace.Directory;
import harness.workspace.FileHandle;
import harness.workspace.FileKind;
import harness.workspace.FileStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ListToolTest {
  private Workplace place;

  @BeforeEach
  void open(@TempDir Path base) throws IOException {
    place = Workplace.in(base);
  }

  @Test
  void entriesAreSortedAndTellWhatTheyAre() throws IOException {
    place.file("b.txt", "12345");
    place.file("a/x", "");
    place.file("c", "");
    Files.createSymbolicLink(place.cwd.resolve("link"), place.outside);
    assertEquals("a/\nb.txt  5\nc  0\nlink@", place.ok("list", "{}"));
    assertEquals("x  0", place.ok("list", "{path:'a/'}"));
  }

  @Test
  void anEmptyDirectoryIsSaidToBe() throws IOException {
    Files.createDirectory(place.cwd.resolve("d"));
    assertEquals("[d is empty]", place.ok("list", "{path:'d'}"));
  }

  @Test
  void aLargeDirectoryShowsItsFirstEntriesAndCountsTheRest() throws IOException {
    for (int i = 0; i < 1_203; i++) {
      place.file("e%04d".formatted(i), "");
    }
    ToolResult result = place.call("list", Workplace.json("{}"));
    assertTrue(result.truncated());
    assertTrue(result.text().startsWith("e0000  0\ne0001  0\n"), result.text());
    assertTrue(
        result
            .text()
            .endsWith(
                "e0999  0\n[1000 of 1203 entries are shown; see the rest with glob and a pattern"
                    + " for their names]"),
        result.text());
  }

  /** A directory that holds nothing in memory itself. */
  private record Endless(int size) implements Directory {
    @Override
    public Iterator<Entry> entries() {
      return IntStream.range(0, size)
          .mapToObj(i -> new Entry(Integer.toString(size - i), FileKind.DIRECTORY))
          .iterator();
    }

    @Override
    public Directory directory(String name) throws IOException {
      throw new IOException(name);
    }

    @Override
    public FileHandle file(String name) throws IOException {
      throw new IOException(name);
    }

    @Override
    public FileStatus status(String name) throws IOException {
      throw new IOException(name);
    }

    @Override
    public String shown() {
      return "endless";
    }

    @Override
    public void close() {}
  }

  @Test
  void aDirectoryOfTwoMillionEntriesIsListedWithoutHoldingThem() throws Exception {
    String text =
        assertTimeoutPreemptively(
            Duration.ofSeconds(20), () -> ListTool.listing(new Endless(2_000_000)).text());
    assertTrue(text.startsWith("1/\n10/\n100/\n1000/\n10000/\n"), text);
    assertTrue(text.contains("[1000 of 2000000 entries are shown;"), text);
  }

  @Test
  void aDirectoryOutsideTheWorkspaceIsRefusedNamingIt() throws IOException {
    Files.createSymbolicLink(place.cwd.resolve("link"), place.outside);
    for (String path : new String[] {"../../..", "/", place.outside.toString(), "link"}) {
      String text = place.error("list", Map.of("path", path));
      assertTrue(text.contains(place.work.toString()), text);
    }
    assertEquals("feature-x/", place.ok("list", "{path:'..'}"));
  }

  @Test
  void aFileIsSaidToBeNoDirectory() throws IOException {
    place.file("a.txt", "");
    assertEquals("'a.txt' is not a directory", place.error("list", "{path:'a.txt'}"));
  }
}
