package harness.workspace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** While paths are used, somebody else swaps what they lead through for links to outside. */
@Timeout(120)
class SwappedDirectoryTest {
  private static final int ROUNDS = 10_000;

  @TempDir(factory = MemoryDirectory.class)
  Path temporary;

  private Workbench bench;

  @BeforeEach
  void open() throws IOException {
    bench = new Workbench(Adapter.LINUX, temporary);
    for (Path place : new Path[] {bench.cwd, bench.outside}) {
      String content = place.equals(bench.cwd) ? "inside" : "outside";
      Files.createDirectories(place.resolve("d/e"));
      Files.writeString(place.resolve("d/f"), content);
      Files.writeString(place.resolve("d/e/f"), content);
    }
  }

  @AfterEach
  void close() throws IOException {
    bench.close();
  }

  private void attacked(String entry, Attempt attempt) throws Exception {
    attacked(entry, 10, attempt);
  }

  private void attacked(String entry, int leastRefused, Attempt attempt) throws Exception {
    Map<String, String> outside = Workbench.snapshot(bench.outside);
    long done = 0;
    long refused = 0;
    try (Swapper attacker =
        new Swapper(
            bench.cwd.resolve(entry), bench.cwd.resolve("link"), bench.outside.resolve(entry))) {
      for (int round = 0; round < ROUNDS && attacker.running(); round++) {
        try {
          attempt.run(round);
          done++;
        } catch (PathException e) {
          refused++;
        }
      }
      long swaps = attacker.end();
      System.out.println(
          "swapped " + entry + " " + swaps + " times: " + done + " done, " + refused + " refused");
      assertEquals(ROUNDS, done + refused);
      assertTrue(swaps > 10 && done > 10 && refused >= leastRefused);
    }
    assertEquals(outside, Workbench.snapshot(bench.outside));
  }

  private interface Attempt {
    void run(int round) throws IOException;
  }

  @Test
  void readsAndWritesThroughASwappedDirectoryStayInside() throws Exception {
    attacked(
        "d",
        round -> {
          if (round % 2 == 0) {
            assertTrue(bench.read("d/f").startsWith("inside"));
          } else {
            bench.write("d/f", "inside " + round);
          }
        });
  }

  @Test
  void newFilesBelowASwappedDirectoryStayInside() throws Exception {
    attacked(
        "d", round -> bench.write("d/e/made-" + round % 50 + "/deeper/" + round % 7, "inside"));
  }

  @Test
  void aSwappedFileIsReadAndWrittenInside() throws Exception {
    // A write may rename its file over the link itself; from then on there is nothing to refuse.
    attacked(
        "d/f",
        0,
        round -> {
          if (round % 2 == 0) {
            assertTrue(bench.read("d/f").startsWith("inside"));
          } else {
            bench.write("d/f", "inside " + round);
          }
        });
  }

  @Test
  void aWalkThroughASwappedDirectoryStaysInside() throws Exception {
    attacked(
        "d",
        round -> {
          try (Directory top = bench.root.directory(".");
              Directory d = top.directory("d");
              Directory e = d.directory("e");
              FileHandle file = e.file("f")) {
            assertEquals("inside", Workbench.read(file));
          }
        });
  }
}
