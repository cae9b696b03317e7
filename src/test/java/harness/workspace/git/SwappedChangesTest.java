package harness.workspace.git;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.workspace.MemoryDirectory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * While a repository is changed, somebody swaps a part of it for a link to the same part of another
 * one outside, without pause: nothing there is written, and nothing of it is staged. {@code
 * -Drounds=10000} makes so many rounds at each part, however long they take; else they end after a
 * while.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class SwappedChangesTest {
  private static final String SECRET = "s3cret";
  private static final int MAX_ROUNDS = 10_000;
  private static final int MIN_DONE = 10;
  private static final long MAX_SECONDS = 2;
  private static final int RENAME_EXCHANGE = 2;
  private static final MethodHandle RENAMEAT2 =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("renameat2"),
              FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT));

  @TempDir(factory = MemoryDirectory.class)
  private Path temporary;

  private Path root;
  private Path inside;
  private Path outside;
  private GitWorkplace tools;

  @BeforeEach
  void makeTwoRepositories() throws Exception {
    root = Files.createDirectories(temporary.toRealPath().resolve("root"));
    inside = make(root.resolve("repo"), "inside");
    outside = make(temporary.toRealPath().resolve("outside"), SECRET);
    Files.writeString(outside.resolve("src/deep/" + SECRET), SECRET + "\n");
    tools = new GitWorkplace(root, inside);
  }

  /** The same files in both, with other content, so that whatever is swapped fits. */
  private static Path make(Path directory, String word) throws Exception {
    GitProgram git = GitProgram.init(directory);
    Files.createDirectories(directory.resolve("src/deep"));
    Files.writeString(directory.resolve("src/deep/a.txt"), word + "\n");
    Files.writeString(directory.resolve("src/b.txt"), word + "\n");
    git.run("add", ".");
    git.run("commit", "-qm", "Commit of " + word);
    return directory;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "src",
        "src/deep",
        "src/deep/a.txt",
        ".git",
        ".git/HEAD",
        ".git/index",
        ".git/objects",
        ".git/refs",
        ".git/refs/heads",
        ".git/logs",
        ".git/logs/refs"
      })
  void nothingOutsideIsWrittenOrStaged(String part) throws Exception {
    Map<String, String> before = snapshot(outside);
    Optional<Integer> asked = Optional.ofNullable(Integer.getInteger("rounds"));
    int rounds = asked.orElse(MAX_ROUNDS);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_SECONDS);
    AtomicBoolean ended = new AtomicBoolean();
    int done = 0;
    int refused = 0;
    try (ExecutorService pool = Executors.newSingleThreadExecutor()) {
      Future<Long> attacker = pool.submit(() -> swap(part, ended));
      try {
        for (int round = 0; round < rounds && !attacker.isDone(); round++) {
          if (asked.isEmpty() && done > MIN_DONE && System.nanoTime() > end) {
            break;
          }
          try {
            change(round);
            done++;
          } catch (IOException e) {
            String message = String.valueOf(e.getMessage());
            assertFalse(message.contains(SECRET), message);
            refused++;
          }
        }
      } finally {
        ended.set(true);
      }
      System.out.printf(
          "swapped %s %d times: %d changes done, %d refused%n",
          part, attacker.get(), done, refused);
    }
    assertEquals(before, snapshot(outside), part);
    assertTrue(
        done > MIN_DONE && (asked.isEmpty() || done + refused == rounds), "too few were done");
    checkThatNothingCameIn();
  }

  private void change(int round) throws IOException, InterruptedException {
    switch (round % 6) {
      case 0 -> tools.add(".");
      case 1 -> tools.commit("Commit " + round, true);
      case 2 -> tools.restore("src");
      case 3 -> tools.branch("branch-" + round % 60);
      case 4 -> tools.unstage("src");
      default -> tools.restore("src/deep/a.txt");
    }
  }

  private long swap(String part, AtomicBoolean ended) {
    Path link = root.resolve("link");
    Path mine = inside.resolve(part);
    Path deep = inside.resolve("src/deep/a.txt");
    long swaps = 0;
    try (Arena arena = Arena.ofConfined()) {
      Files.createSymbolicLink(link, outside.resolve(part));
      MemorySegment one = arena.allocateFrom(mine.toString());
      MemorySegment two = arena.allocateFrom(link.toString());
      while (!ended.get() || swaps % 2 == 1) {
        int result = (int) RENAMEAT2.invokeExact(-100, one, -100, two, RENAME_EXCHANGE);
        assertEquals(0, result);
        swaps++;
        // The system lets whoever swaps go before all others; this lets them have their turn.
        Thread.yield();
        if (swaps % 500 == 0 && !part.startsWith("src")) {
          // So that there is something to stage and to restore.
          Files.writeString(deep, "inside " + swaps + "\n");
        }
      }
      return swaps;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** Of all that the repository has, nothing holds what only the other one holds. */
  private void checkThatNothingCameIn() throws Exception {
    GitProgram git = new GitProgram(inside);
    List<String> objects =
        git.run("cat-file", "--batch-check=%(objecttype) %(objectname)", "--batch-all-objects")
            .lines()
            .toList();
    for (String object : objects) {
      String[] parts = object.split(" ");
      if (parts[0].equals("blob")) {
        String content = git.run("cat-file", "blob", parts[1]);
        // A link that was staged says where it leads, which is no secret of the other side.
        assertFalse(content.equals(SECRET + "\n"), object);
      }
    }
  }

  private static Map<String, String> snapshot(Path directory) throws IOException {
    Map<String, String> all = new TreeMap<>();
    try (Stream<Path> walk = Files.walk(directory)) {
      for (Path path : (Iterable<Path>) walk::iterator) {
        all.put(
            directory.relativize(path).toString(),
            Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
                ? new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1)
                : "no file");
      }
    }
    return all;
  }
}
