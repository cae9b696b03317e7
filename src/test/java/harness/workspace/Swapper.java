package harness.workspace;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/** Swaps an entry and a link to somewhere else, each time at one stroke, without pause. */
public final class Swapper implements AutoCloseable {
  private static final int RENAME_EXCHANGE = 2;
  private static final MethodHandle RENAMEAT2 =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("renameat2"),
              FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT));

  private final AtomicBoolean ended = new AtomicBoolean();
  private final ExecutorService pool = Executors.newSingleThreadExecutor();
  private final Future<Long> swaps;

  /**
   * Begins.
   *
   * @param link made to swap with the entry
   * @param elsewhere what the link leads to
   */
  public Swapper(Path entry, Path link, Path elsewhere) throws IOException {
    Files.createSymbolicLink(link, elsewhere);
    swaps = pool.submit(() -> swap(entry, link));
  }

  private long swap(Path entry, Path link) {
    long count = 0;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment one = arena.allocateFrom(entry.toString());
      MemorySegment two = arena.allocateFrom(link.toString());
      while (!ended.get() || count % 2 == 1) {
        int result = (int) RENAMEAT2.invokeExact(-100, one, -100, two, RENAME_EXCHANGE);
        assertEquals(0, result);
        count++;
      }
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    return count;
  }

  /** Whether it still swaps. */
  public boolean running() {
    return !swaps.isDone();
  }

  /** Ends, with the entry where it was at first; how often it swapped. */
  public long end() throws ExecutionException, InterruptedException {
    ended.set(true);
    return swaps.get();
  }

  @Override
  public void close() {
    ended.set(true);
    pool.close();
  }
}
