package harness.workspace.git;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * While a repository is read, somebody swaps a part of it for a link to the same part of another
 * one outside, without pause. {@code -Drounds=10000} makes so many rounds at each part, however
 * long they take; else they end after a while.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class SwappedRepositoryTest {
  private static final String SECRET = "s3cret";
  private static final int MAX_ROUNDS = 10_000;
  private static final long MAX_SECONDS = 2;
  private static final int RENAME_EXCHANGE = 2;
  private static final MethodHandle RENAMEAT2 =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("renameat2"),
              FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT));

  @TempDir private Path temporary;
  private Path root;
  private Path inside;
  private Path outside;

  @BeforeEach
  void makeTwoRepositories() throws Exception {
    root = Files.createDirectories(temporary.toRealPath().resolve("root"));
    inside = make(root.resolve("repo"), "inside");
    outside = make(temporary.toRealPath().resolve("outside"), SECRET);
    Files.writeString(outside.resolve("src/deep/" + SECRET), SECRET + "\n");
  }

  /** The same files in both, with other content, so that whatever is swapped fits. */
  private static Path make(Path directory, String word) throws Exception {
    GitProgram git = GitProgram.init(directory);
    Files.createDirectories(directory.resolve("src/deep"));
    Files.writeString(directory.resolve("src/deep/a.txt"), word + "\n");
    Files.writeString(directory.resolve("src/b.txt"), word + "\n");
    git.run("add", ".");
    git.run("commit", "-qm", "Commit of " + word);
    git.run("branch", "other");
    Files.writeString(directory.resolve("src/deep/a.txt"), word + " changed\n");
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
        ".git/refs/heads/main"
      })
  void aPartThatIsSwappedShowsNothingFromOutside(String part) throws Exception {
    try (GitView view = GitView.open(root, inside)) {
      // What they answer has the words of the repository, so that those of another would be seen.
      assertTrue(view.show("HEAD").toString().contains("inside"));
      assertTrue(blame(view).contains("inside"));
    }
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
          if (asked.isEmpty() && System.nanoTime() > end) {
            break;
          }
          try {
            check(part, round);
            done++;
          } catch (IOException e) {
            assertFalse(String.valueOf(e.getMessage()).contains(SECRET), e.getMessage());
            refused++;
          }
        }
      } finally {
        ended.set(true);
      }
      System.out.printf(
          "swapped %s %d times: %d shown, %d refused%n", part, attacker.get(), done, refused);
    }
    assertTrue(done > 10 && (asked.isEmpty() || done + refused == rounds), "too few were shown");
  }

  private static String blame(GitView view) throws IOException, InterruptedException {
    return view.blame("src/deep/a.txt", 1, Integer.MAX_VALUE, InstantSource.system()).toString();
  }

  private void check(String part, int round) throws IOException, InterruptedException {
    try (GitView view = GitView.open(root, inside)) {
      String shown =
          switch (round % 6) {
            case 0, 1 -> String.join("\n", view.lines(view.status()));
            case 2 -> view.diff(DiffQuery.WORKTREE).text();
            case 3 -> view.show("HEAD").toString();
            case 4 -> blame(view);
            default ->
                view.diff(
                            new DiffQuery(
                                Optional.of("other"), Optional.empty(), false, List.of(), false))
                        .text()
                    + view.log(5, Optional.of("src"));
          };
      assertFalse(shown.contains(SECRET), () -> part + " in round " + round + ": " + shown);
    }
  }

  private long swap(String part, AtomicBoolean ended) throws IOException {
    Path link = root.resolve("link");
    Files.createSymbolicLink(link, outside.resolve(part));
    long swaps = 0;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment one = arena.allocateFrom(inside.resolve(part).toString());
      MemorySegment two = arena.allocateFrom(link.toString());
      while (!ended.get() || swaps % 2 == 1) {
        int result = (int) RENAMEAT2.invokeExact(-100, one, -100, two, RENAME_EXCHANGE);
        assertEquals(0, result);
        swaps++;
      }
      return swaps;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
