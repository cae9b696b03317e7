package harness.workspace;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** While paths are used, somebody else swaps what they lead through for links to outside. */
@Timeout(120)
class SwappedDirectoryTest {
  private static final int ROUNDS = 10_000;
  private static final int RENAME_EXCHANGE = 2;
  private static final MethodHandle RENAMEAT2 =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("renameat2"),
              FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT));

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

  /** Swaps an entry of the working directory and a link to the same one outside, at one stroke. */
  private long swap(String entry, AtomicBoolean ended) throws Throwable {
    Path link = bench.cwd.resolve("link");
    Files.createSymbolicLink(link, bench.outside.resolve(entry));
    long swaps = 0;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment one = arena.allocateFrom(bench.cwd.resolve(entry).toString());
      MemorySegment two = arena.allocateFrom(link.toString());
      while (!ended.get() || swaps % 2 == 1) {
        int result = (int) RENAMEAT2.invokeExact(-100, one, -100, two, RENAME_EXCHANGE);
        assertEquals(0, result);
        swaps++;
      }
    }
    return swaps;
  }

  private void attacked(String entry, Attempt attempt) throws Exception {
    attacked(entry, 10, attempt);
  }

  private void attacked(String entry, int leastRefused, Attempt attempt) throws Exception {
    Map<String, String> outside = Workbench.snapshot(bench.outside);
    AtomicBoolean ended = new AtomicBoolean();
    AtomicLong done = new AtomicLong();
    long refused = 0;
    try (ExecutorService pool = Executors.newSingleThreadExecutor()) {
      Future<Long> attacker =
          pool.submit(
              () -> {
                try {
                  return swap(entry, ended);
                } catch (Throwable e) {
                  throw new AssertionError(e);
                }
              });
      try {
        for (int round = 0; round < ROUNDS && !attacker.isDone(); round++) {
          try {
            attempt.run(round);
            done.incrementAndGet();
          } catch (PathException e) {
            refused++;
          }
        }
      } finally {
        ended.set(true);
      }
      long swaps = attacker.get();
      System.out.println(
          "swapped " + entry + " " + swaps + " times: " + done + " done, " + refused + " refused");
      assertEquals(ROUNDS, done.get() + refused);
      assertTrue(swaps > 10 && done.get() > 10 && refused >= leastRefused);
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
