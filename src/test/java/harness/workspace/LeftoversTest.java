package harness.workspace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a killed process left, and what it did not leave. */
@Timeout(60)
class LeftoversTest {
  private static final int KILLS = Integer.getInteger("kills", 4);

  @TempDir(factory = MemoryDirectory.class)
  Path temporary;

  private Workbench bench;

  @BeforeEach
  void open() throws IOException {
    bench = new Workbench(Adapter.LINUX, temporary);
  }

  @AfterEach
  void close() throws IOException {
    bench.close();
  }

  private static void age(Path file, long seconds) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(seconds)));
  }

  private Path leftover(String name, long seconds) throws IOException {
    Path file = Files.writeString(bench.cwd.resolve(name), "half");
    age(file, seconds);
    return file;
  }

  @Test
  void aTemporaryFileIsRemovedWhenItIsOldAndNobodyWritesIt() throws IOException {
    leftover(".harness-0123456789abcdef.tmp", 61);
    Path young = leftover(".harness-1123456789abcdef.tmp", 10);
    leftover(".harness-of-mine.tmp", 1000);
    leftover("harness-0123456789abcdef.tmp", 1000);
    bench.write("file", "1");
    List<String> kept = List.of(".harness-of-mine.tmp", "file", "harness-0123456789abcdef.tmp");
    assertEquals(
        List.of(".harness-1123456789abcdef.tmp", ".harness-of-mine.tmp", "file", kept.getLast()),
        bench.namesIn(bench.cwd));
    age(young, 100);
    bench.write("file", "2");
    assertEquals(kept, bench.namesIn(bench.cwd));
  }

  @Test
  void whatAKilledProcessStagedIsRemovedAndWhatALivingOneStagedNot() throws Exception {
    Process child = ChildWriter.start(bench.work, bench.cwd, "stage");
    try (BufferedReader said = child.inputReader()) {
      assertEquals("staged", said.readLine());
      String name = bench.namesIn(bench.cwd).getFirst();
      age(bench.cwd.resolve(name), 1000);
      bench.write("file", "1");
      assertEquals(List.of(name, "file"), bench.namesIn(bench.cwd));
      child.destroyForcibly().waitFor();
      bench.write("file", "2");
      assertEquals(List.of("file"), bench.namesIn(bench.cwd));
    } finally {
      child.destroyForcibly();
    }
  }

  /** Each file is that of one round, whole; which round may differ from file to file. */
  @Test
  void afterAKillInTheMiddleOfAChangeOfSeveralFilesEachIsWhole() throws Exception {
    for (int kill = 0; kill < KILLS; kill++) {
      Process child = ChildWriter.start(bench.work, bench.cwd, "commit");
      try (BufferedReader said = child.inputReader()) {
        assertEquals("begins", said.readLine());
        assertTrue(!child.waitFor(100 + 17L * kill, TimeUnit.MILLISECONDS));
      } finally {
        child.destroyForcibly().waitFor();
      }
      for (String name : ChildWriter.FILES) {
        String content = Files.readString(bench.cwd.resolve(name), StandardCharsets.US_ASCII);
        int round = Integer.parseInt(content.substring(0, content.indexOf('\n')));
        assertEquals(
            new String(ChildWriter.content(round), StandardCharsets.US_ASCII), content, name);
      }
    }
    for (Path directory : List.of(bench.cwd, bench.cwd.resolve("d"))) {
      for (String name : bench.namesIn(directory)) {
        if (name.startsWith(".harness-")) {
          age(directory.resolve(name), 1000);
        }
      }
    }
    bench.write("file", "1");
    bench.write("d/file", "1");
    assertEquals(List.of("d", "file", "one", "two"), bench.namesIn(bench.cwd));
    assertEquals(List.of("file", "three"), bench.namesIn(bench.cwd.resolve("d")));
  }
}
