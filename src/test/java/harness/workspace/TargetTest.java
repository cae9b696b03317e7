package harness.workspace;

import static harness.workspace.Workbench.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.workspace.PathException.Kind;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(Adapter.class)
@Timeout(60)
class TargetTest {
  private final Adapter adapter;

  @TempDir(factory = MemoryDirectory.class)
  Path temporary;

  private Workbench bench;

  TargetTest(Adapter adapter) {
    this.adapter = adapter;
  }

  @BeforeEach
  void open() throws IOException {
    bench = new Workbench(adapter, temporary);
  }

  @AfterEach
  void close() throws IOException {
    bench.close();
  }

  private void link(String at, String target) throws IOException {
    Files.createSymbolicLink(bench.cwd.resolve(at), bench.path(target));
  }

  @Test
  void aNewFileIsWrittenAndNothingElseIsLeft() throws IOException {
    bench.write("new", "hello");
    assertEquals("hello", Files.readString(bench.cwd.resolve("new")));
    assertEquals(List.of("file", "new"), bench.namesIn(bench.cwd));
    assertEquals(
        "rw-r--r--",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(bench.cwd.resolve("new"))));
  }

  @Test
  void aFileIsReplacedAsAWholeAndKeepsItsMode() throws IOException {
    Path file = bench.cwd.resolve("file");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x--x"));
    try (Target target = bench.root.target("file");
        FileHandle before = target.current().orElseThrow()) {
      assertEquals("file", target.shown());
      target.replace("longer than before".getBytes(StandardCharsets.UTF_8));
      assertEquals("longer than before", Files.readString(file));
      assertEquals("content", Workbench.read(before));
      target.replace(new byte[0]);
      assertEquals("", Workbench.read(target.current().orElseThrow()));
    }
    assertEquals("rwxr-x--x", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    assertEquals(List.of("file"), bench.namesIn(bench.cwd));
  }

  @Test
  void aBigFileIsWrittenWhole() throws IOException {
    String big = "0123456789abcdef".repeat(100_000);
    bench.write("big", big);
    assertEquals(big, Files.readString(bench.cwd.resolve("big")));
  }

  @Test
  void whatIsNotThereYetHasNoCurrentContent() throws IOException {
    try (Target target = bench.root.target("new/deep/file")) {
      assertTrue(target.current().isEmpty());
      assertEquals("new/deep/file", target.shown());
    }
    assertFalse(Files.exists(bench.cwd.resolve("new")));
  }

  @Test
  void aWriteOutsideTheWorkingDirectoryIsRefusedAndMakesNothing() throws IOException {
    Map<String, String> before = Workbench.snapshot(bench.base);
    String leaves = "' leaves the working directory " + bench.cwd + "; writes stay inside it";
    for (String path :
        List.of(
            "../x",
            bench.work + "/shared",
            "../new/x",
            bench.work + "/a/new/x",
            bench.outside + "/x",
            "../../../outside/secret",
            "/etc/harness-was-here")) {
      assertRefused(Kind.OUTSIDE, "'" + path + leaves, () -> bench.write(path, "no"));
    }
    assertEquals(before, Workbench.snapshot(bench.base));
  }

  @Test
  void aPathThatGoesOutAndComesBackIsAWriteInside() throws IOException {
    bench.write("../../a/b/x", "1");
    bench.write(bench.cwd + "/y", "2");
    bench.write(bench.work + "/a/../a/b/new/z", "3");
    assertEquals("1", Files.readString(bench.cwd.resolve("x")));
    assertEquals("2", Files.readString(bench.cwd.resolve("y")));
    assertEquals("3", Files.readString(bench.cwd.resolve("new/z")));
  }

  @Test
  void aLinkThatEndsInsideIsWrittenThrough() throws IOException {
    Files.createDirectory(bench.cwd.resolve("inner"));
    link("near", "file");
    link("dangling", "inner/made/file");
    link("directory", "inner");
    bench.write("near", "1");
    bench.write("dangling", "2");
    bench.write("directory/new", "3");
    assertEquals("1", Files.readString(bench.cwd.resolve("file")));
    assertEquals("2", Files.readString(bench.cwd.resolve("inner/made/file")));
    assertEquals("3", Files.readString(bench.cwd.resolve("inner/new")));
    assertTrue(Files.isSymbolicLink(bench.cwd.resolve("near")));
    assertTrue(Files.isSymbolicLink(bench.cwd.resolve("dangling")));
    try (Target target = bench.root.target("near")) {
      assertEquals("file", target.shown());
    }
  }

  @Test
  void aLinkOutOfTheWorkingDirectoryIsNotWrittenThrough() throws IOException {
    link("shared", "../../shared");
    link("out", bench.outside + "/secret");
    link("dangling", bench.outside + "/new");
    link("parent", bench.outside.toString());
    link("up", "..");
    Map<String, String> before = Workbench.snapshot(bench.base);
    assertRefused(
        Kind.OUTSIDE,
        "'shared' leads through a link out of the working directory %s; writes stay inside it"
            .formatted(bench.cwd),
        () -> bench.write("shared", "no"));
    for (String path :
        List.of("out", "dangling", "parent/x", "parent/new/x", "up/x", "up/new/x", "up/../x")) {
      assertRefused(Kind.OUTSIDE, () -> bench.write(path, "no"));
    }
    assertEquals(before, Workbench.snapshot(bench.base));
    bench.write("up/b/x", "inside again");
    assertEquals("inside again", Files.readString(bench.cwd.resolve("x")));
  }

  @Test
  void aRefusedPathMakesNoDirectories() throws IOException {
    Map<String, String> before = Workbench.snapshot(bench.base);
    assertRefused(
        Kind.NOT_FOUND,
        "'new/../x' goes through 'new', which is not there, and back by '..'; leave that detour out",
        () -> bench.write("new/../x", "no"));
    assertRefused(Kind.NOT_FOUND, () -> bench.write("new/../../x", "no"));
    assertRefused(Kind.GIT_OWN, () -> bench.write("new/.git/config", "no"));
    assertRefused(
        Kind.NOT_A_FILE,
        "'new/' names a directory; name the file to write",
        () -> bench.write("new/", "no"));
    assertRefused(Kind.NOT_A_FILE, () -> bench.write("new/.", "no"));
    assertRefused(Kind.NOT_A_FILE, () -> bench.write("new/..", "no"));
    assertRefused(Kind.INVALID, () -> bench.write("new/" + "n".repeat(256), "no"));
    assertRefused(Kind.INVALID, () -> bench.write("new/\0", "no"));
    assertEquals(before, Workbench.snapshot(bench.base));
  }

  @Test
  void aDirectoryIsNotWrittenOver() throws IOException {
    Files.createDirectory(bench.cwd.resolve("empty"));
    link("toEmpty", "empty");
    assertRefused(
        Kind.NOT_A_FILE,
        "'empty' is a directory, not a regular file",
        () -> bench.write("empty", "no"));
    assertRefused(
        Kind.NOT_A_FILE,
        "'toEmpty' is a directory, not a regular file (it is 'empty')",
        () -> bench.write("toEmpty", "no"));
    assertRefused(Kind.NOT_A_DIRECTORY, () -> bench.write("file/x", "no"));
    assertTrue(Files.isDirectory(bench.cwd.resolve("empty")));
  }

  @Test
  void ofConcurrentEditsNoneIsLost() throws Exception {
    int threads = 8;
    int edits = 25;
    Files.writeString(bench.cwd.resolve("count"), "0");
    link("alias", bench.cwd + "/count");
    List<String> spellings = List.of("count", "alias", "../b/count", bench.cwd + "/count");
    try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        String path = spellings.get(thread % spellings.size());
        running.add(
            pool.submit(
                () -> {
                  for (int edit = 0; edit < edits; edit++) {
                    increment(path);
                  }
                  return path;
                }));
      }
      for (Future<?> one : running) {
        one.get();
      }
    }
    assertEquals(String.valueOf(threads * edits), Files.readString(bench.cwd.resolve("count")));
    assertEquals(0, Places.OF_PROCESS.size());
  }

  private void increment(String path) throws IOException {
    try (Target target = bench.root.target(path)) {
      int count = Integer.parseInt(Workbench.read(target.current().orElseThrow()));
      target.replace(String.valueOf(count + 1).getBytes(StandardCharsets.UTF_8));
    }
  }

  @Test
  void twoPlacesDoNotWaitForEachOther() throws IOException {
    try (Target one = bench.root.target("one");
        Target two = bench.root.target("two")) {
      two.replace(new byte[] {'2'});
      one.replace(new byte[] {'1'});
    }
    assertEquals(List.of("file", "one", "two"), bench.namesIn(bench.cwd));
  }

  @Test
  void theWaitForAPlaceEndsWithAnInterrupt() throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);
    Thread waiting;
    try (Target held = bench.root.target("file")) {
      waiting =
          Thread.ofPlatform()
              .start(
                  () -> {
                    assertThrows(InterruptedIOException.class, () -> bench.root.target("file"));
                    assertTrue(Thread.currentThread().isInterrupted());
                    interrupted.countDown();
                  });
      while (waiting.isAlive() && waiting.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
      waiting.interrupt();
      assertTrue(interrupted.await(20, TimeUnit.SECONDS));
      assertEquals(1, Places.OF_PROCESS.size());
      held.replace("still mine".getBytes(StandardCharsets.UTF_8));
    }
    waiting.join();
    assertEquals(0, Places.OF_PROCESS.size());
    assertEquals("still mine", bench.read("file"));
  }

  @Test
  void aTargetThatIsClosedTwiceFreesItsPlaceOnce() throws IOException {
    Target one = bench.root.target("file");
    one.close();
    try (Target two = bench.root.target("file")) {
      one.close();
      assertEquals(1, Places.OF_PROCESS.size());
      two.replace(new byte[0]);
    }
    assertEquals(0, Places.OF_PROCESS.size());
  }
}
