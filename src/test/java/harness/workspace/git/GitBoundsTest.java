package harness.workspace.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a repository holds, a call ends soon: by itself, or once it is interrupted. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class GitBoundsTest {
  private static final Duration SOON = Duration.ofSeconds(15);

  @TempDir private Path temporary;
  private Path root;
  private Path repository;
  private GitProgram git;

  @BeforeEach
  void makeARepository() throws Exception {
    root = temporary.toRealPath();
    repository = GitProgramFixture.committed(root.resolve("repo"), "one");
    git = new GitProgram(repository);
  }

  private interface Reading {
    String of(GitView view) throws IOException, InterruptedException;
  }

  private String read(Reading reading) throws IOException, InterruptedException {
    try (GitView view = GitView.open(root, repository)) {
      return reading.of(view);
    }
  }

  private String statusAndDiff() throws IOException, InterruptedException {
    return read(view -> view.status().lines() + view.diff(DiffQuery.WORKTREE).text());
  }

  @Test
  void aRuleThatMakesABacktrackingMatcherHangEndsSoon() throws Exception {
    String evil =
        "*a".repeat(60) + "b\n" + "**/a".repeat(60) + "/b\n" + "[a-z]*".repeat(60) + "1\n";
    String name = "a".repeat(200);
    Path deep = repository;
    for (int i = 0; i < 12; i++) {
      deep = Files.createDirectory(deep.resolve("a".repeat(100)));
    }
    Files.writeString(deep.resolve(name), "one\n");
    Files.writeString(repository.resolve(name), "one\n");
    git.run("add", ".");
    git.run("commit", "-qm", "Names");
    Files.writeString(repository.resolve(".gitignore"), evil);
    Files.writeString(
        repository.resolve(".gitattributes"), evil.replace("\n", " text diff=x filter=x\n"));
    Files.writeString(deep.resolve(name), "two\n");
    Files.writeString(deep.resolve(name + "c"), "new\n");
    Files.writeString(repository.resolve(name), "two\n");
    Files.writeString(repository.resolve(name + "c"), "new\n");
    String shown = assertTimeoutPreemptively(SOON, this::statusAndDiff);
    assertTrue(shown.contains("?? " + name + "c"), shown);
    assertEquals(2, shown.split("\\+two", -1).length - 1, shown);
  }

  @Test
  void aTrackedLineOfOneHundredMegabytesIsNotReadByLines() throws Exception {
    byte[] line = new byte[100_000_000];
    Arrays.fill(line, (byte) 'x');
    Files.write(repository.resolve("large"), line);
    Files.writeString(repository.resolve("small"), "one\n");
    git.run("-c", "core.compression=1", "add", ".");
    git.run("commit", "-qm", "Large");
    try (RandomAccessFile file = new RandomAccessFile(repository.resolve("large").toFile(), "rw")) {
      file.write('y');
    }
    Files.writeString(repository.resolve("small"), "two\n");
    String shown = assertTimeoutPreemptively(SOON, this::statusAndDiff);
    assertTrue(shown.contains(" M large") && shown.contains("+two"), shown);
    String why = "they are not compared by lines, since one is larger than " + Patch.MAX_BYTES;
    assertTrue(shown.contains("Files a/large and b/large differ; " + why), shown);
    assertTrue(shown.length() < 2_000, "a line of it is shown");
  }

  @Test
  void aHugeSparseFileInThePlaceOfATrackedOneIsNotReadAtAll() throws Exception {
    try (RandomAccessFile file =
        new RandomAccessFile(repository.resolve("file.txt").toFile(), "rw")) {
      file.setLength(10_000_000_000L);
    }
    String shown = assertTimeoutPreemptively(SOON, this::statusAndDiff);
    assertTrue(shown.contains(" M file.txt") && shown.contains("differ"), shown);
  }

  @Test
  void aDirectoryOfManyNamesIsCountedAndNotHeld() throws Exception {
    Path directory = Files.createDirectory(repository.resolve("many"));
    Files.writeString(directory.resolve("tracked"), "");
    git.run("add", ".");
    for (int i = 0; i < Rows.MAX_PATHS + 1_000; i++) {
      Files.createFile(directory.resolve("n" + i));
    }
    try (GitView view = GitView.open(root, repository)) {
      GitStatus status = view.status();
      long all = status.entries().size() + status.more();
      assertEquals(Rows.MAX_PATHS + 1_001, all);
      assertTrue(status.entries().size() <= Rows.MAX_PATHS + 1);
    }
  }

  @Test
  void directoriesInDirectoriesEndSomewhere() throws Exception {
    Path deep = repository;
    for (int i = 0; i < 400; i++) {
      deep = Files.createDirectory(deep.resolve("d"));
    }
    String shown = assertTimeoutPreemptively(SOON, this::statusAndDiff);
    assertEquals("[?? d/]", shown);
  }

  /** Rules that take minutes in all, though each of them ends. */
  private void makeSlow() throws Exception {
    Files.writeString(
        repository.resolve(".gitignore"),
        ("*a".repeat(40) + "b" + "*c".repeat(40) + "\n").repeat(2_000));
    Path many = Files.createDirectory(repository.resolve("many"));
    for (int i = 0; i < 2_000; i++) {
      Files.createFile(many.resolve("a".repeat(200) + i));
    }
    Files.writeString(many.resolve("tracked"), "");
    git.run("add", "-f", "many/tracked");
  }

  @Test
  void anInterruptInTheMiddleOfACallEndsIt() throws Exception {
    makeSlow();
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<String> ended = new CompletableFuture<>();
    Thread call =
        Thread.ofPlatform()
            .start(
                () -> {
                  begun.countDown();
                  try {
                    ended.complete(read(view -> "" + view.status()));
                  } catch (IOException | InterruptedException | RuntimeException e) {
                    ended.completeExceptionally(e);
                  }
                });
    begun.await();
    assertThrows(TimeoutException.class, () -> ended.get(300, TimeUnit.MILLISECONDS));
    call.interrupt();
    ExecutionException thrown =
        assertThrows(ExecutionException.class, () -> ended.get(SOON.toSeconds(), TimeUnit.SECONDS));
    assertTrue(thrown.getCause() instanceof InterruptedException, thrown.toString());
  }

  @Test
  void anInterruptBeforeACallEndsEachKindOfIt() throws Exception {
    Files.writeString(repository.resolve("file.txt"), "two\n");
    DiffQuery head = new DiffQuery(Optional.of("HEAD"), Optional.empty(), false, List.of(), true);
    List<Reading> readings =
        List.of(
            view -> "" + view.status(),
            view -> view.diff(DiffQuery.WORKTREE).text(),
            view -> view.diff(DiffQuery.STAGED).text(),
            view -> view.diff(head).text(),
            view -> "" + view.log(5, Optional.empty()),
            view -> "" + view.log(5, Optional.of("file.txt")));
    for (Reading reading : readings) {
      try (GitView view = GitView.open(root, repository)) {
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, () -> reading.of(view));
        assertFalse(Thread.interrupted(), "the exception carries the interrupt");
      }
    }
  }

  @Test
  void anObjectThatInflatesToMoreThanItSaysIsDamage() throws Exception {
    String blob = git.run("rev-parse", "HEAD:file.txt").strip();
    Path object =
        repository.resolve(".git/objects/" + blob.substring(0, 2) + "/" + blob.substring(2));
    assertTrue(object.toFile().setWritable(true));
    Files.writeString(repository.resolve("file.txt"), "two\n");
    for (String header : List.of("blob 9999999999", "blob 50000000")) {
      deflate(object, header + "\0one\n");
      assertTrue(statusAndDiff().contains("they are not compared by lines"), header);
    }
    for (String header : List.of("blob 5000000", "blob 3", "blob -1", "x 4", "blob", "")) {
      deflate(object, header + "\0one\n");
      GitException damage = assertThrows(GitException.class, this::statusAndDiff);
      assertTrue(String.valueOf(damage.getMessage()).contains("the repository of"), header);
    }
  }

  private static void deflate(Path file, String content) throws IOException {
    try (OutputStream out = new DeflaterOutputStream(Files.newOutputStream(file))) {
      out.write(content.getBytes(StandardCharsets.ISO_8859_1));
    }
  }
}
