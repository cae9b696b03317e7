package harness.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import harness.workspace.Directory;
import harness.workspace.FileHandle;
import harness.workspace.FileKind;
import harness.workspace.FileStatus;
import harness.workspace.Handles;
import harness.workspace.Root;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** No file, directory or pattern makes a search outlast its bounds in time or memory. */
class HostileSearchTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  private Workplace place;

  @BeforeEach
  void open(@TempDir Path base) throws IOException {
    place = Workplace.in(base);
  }

  private static List<String> workers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(Thread::isAlive)
        .map(Thread::getName)
        .filter(name -> name.contains("worker"))
        .toList();
  }

  @Test
  void aSparseFileOfTenGigabytesIsSearchedWithinBounds() throws IOException {
    for (String head : new String[] {"", "needle\n", "needle\n".repeat(2_000)}) {
      Path file = place.file("sparse" + head.length(), head);
      try (RandomAccessFile hole = new RandomAccessFile(file.toFile(), "rw")) {
        hole.setLength(10L * 1024 * 1024 * 1024);
      }
    }
    assertTimeoutPreemptively(
        SOON,
        () -> {
          assertEquals(
              "sparse14000:2000\n[2000 lines in 1 files]",
              place.ok("grep", "{pattern:'needle', mode:'count'}"));
          assertTrue(
              place.ok("grep", "{pattern:'x+y', path:'sparse14000'}").startsWith("[no match"));
          assertEquals(3, place.ok("glob", "{pattern:'*'}").lines().count());
        });
  }

  @Test
  void aLineOfAHundredMegabytesIsSearchedWithinBounds() throws IOException {
    byte[] line = "abcdefghij".repeat(10 * 1024 * 1024).getBytes(StandardCharsets.US_ASCII);
    Path file = place.file("line", line);
    Files.writeString(file, "needle\nlast needle", StandardOpenOption.APPEND);
    assertTimeoutPreemptively(
        SOON,
        () -> {
          assertEquals(
              "line:2",
              firstLine(place.ok("grep", "{pattern:'needle', mode:'count', fixed:true}")));
          String text = place.ok("grep", "{pattern:'^last n', path:'line'}");
          assertTrue(text.startsWith("line:2:last needle\n"), text);
        });
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElseThrow();
  }

  @Test
  void fifosSocketsAndDevicesAnswerAtOnce() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/mkfifo")), "there is no mkfifo");
    assertEquals(0, new ProcessBuilder("/usr/bin/mkfifo", place.cwd + "/fifo").start().waitFor());
    boolean device =
        new ProcessBuilder("mknod", place.cwd + "/zero", "c", "1", "5").start().waitFor() == 0;
    place.file("a.txt", "needle\n");
    try (ServerSocketChannel listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      // The path of a socket has to be short where it is made.
      Path made = Files.createTempDirectory(Path.of("/tmp"), "s").resolve("s");
      assertNotNull(listening.bind(UnixDomainSocketAddress.of(made)));
      Files.move(made, place.cwd.resolve("socket"));
      Files.delete(made.getParent());
      assertTimeoutPreemptively(
          SOON,
          () -> {
            assertEquals("a.txt:1:needle", place.ok("grep", "{pattern:'needle'}"));
            assertTrue(place.ok("glob", "{pattern:'*'}").contains("fifo\nsocket"));
            assertTrue(place.error("grep", "{pattern:'x', path:'fifo'}").contains("a FIFO"));
            assertTrue(place.error("grep", "{pattern:'x', path:'socket'}").contains("a socket"));
            if (device) {
              assertTrue(place.error("grep", "{pattern:'x', path:'zero'}").contains("a device"));
            }
          });
    }
  }

  @Test
  void namesThatAreNoUtf8AreFoundAndCanBeGivenBack() throws Exception {
    Process made =
        new ProcessBuilder("bash", "-c", "mkdir $'d\\xFF' && echo needle > $'d\\xFF/caf\\xE9.txt'")
            .directory(place.cwd.toFile())
            .start();
    assertEquals(0, made.waitFor());
    assertEquals("d\\xFF/caf\\xE9.txt:1:needle", place.ok("grep", "{pattern:'needle'}"));
    assertEquals("d\\xFF/caf\\xE9.txt", place.ok("glob", "{pattern:'**/*.txt'}"));
    assertEquals(
        "d\\xFF/caf\\xE9.txt:1:needle",
        place.ok("grep", "{pattern:'needle', path:'d\\\\xFF/caf\\\\xE9.txt'}"));
  }

  /** A directory of as many empty files as are asked for, all named in turn. */
  private record Crowd(int count, AtomicInteger given, Runnable atHalf) implements Directory {
    @Override
    public Iterator<Entry> entries() {
      return new Iterator<>() {
        @Override
        public boolean hasNext() {
          return given.get() < count;
        }

        @Override
        public Entry next() {
          int number = given.getAndIncrement();
          if (number == count / 2) {
            atHalf.run();
          }
          return new Entry("f%07d.txt".formatted(number), FileKind.FILE);
        }
      };
    }

    @Override
    public Directory directory(String name) throws IOException {
      throw new IOException("no directory");
    }

    @Override
    public FileHandle file(String name) {
      return new FileHandle() {
        @Override
        public FileStatus status() {
          return new FileStatus(FileKind.FILE, 0, 0, 0, 0, 0);
        }

        @Override
        public int read(ByteBuffer buffer, long position) {
          return -1;
        }

        @Override
        public void close() {}
      };
    }

    @Override
    public FileStatus status(String name) throws IOException {
      return file(name).status();
    }

    @Override
    public String shown() {
      return ".";
    }

    @Override
    public void close() {}
  }

  private Seat seat(Root root) {
    return Workplace.reading(root);
  }

  private Root root() throws IOException {
    return Root.open(Handles.system(new Random(7)), place.work.toString(), place.cwd.toString());
  }

  private Walk<Findings> walk(Root root, AtomicInteger taken) throws ToolException {
    Wanted wanted = Wanted.of("needle", false, false);
    return new Walk<>(
        root,
        false,
        new Crew(4, GrepTool.MAX_TIME),
        () -> new FilteredFiles(new FileSearch(wanted, Search.Mode.COUNT, 0, 10), Optional.empty()),
        new Walk.Taker<>() {
          @Override
          public boolean take(String path, Findings found) {
            assertEquals("f%07d.txt".formatted(taken.getAndIncrement()), path);
            return true;
          }

          @Override
          public int weight(Findings found) {
            return found.chars();
          }
        });
  }

  @Test
  void aDirectoryOfTwoHundredThousandEntriesIsSearchedInOrder() throws Exception {
    AtomicInteger taken = new AtomicInteger();
    try (Root root = root()) {
      Walk<Findings> walk = walk(root, taken);
      Crowd crowd = new Crowd(200_000, new AtomicInteger(), () -> {});
      assertTrue(assertTimeoutPreemptively(SOON, () -> walk.through(crowd)));
      assertEquals(List.of(), walk.notes());
    }
    assertEquals(200_000, taken.get());
  }

  @Test
  void aDirectoryWithoutEndIsLookedAtSoFarAndThatIsSaid() throws Exception {
    AtomicInteger taken = new AtomicInteger();
    try (Root root = root()) {
      Walk<Findings> walk = walk(root, taken);
      Crowd crowd = new Crowd(Integer.MAX_VALUE, new AtomicInteger(), () -> {});
      assertTrue(assertTimeoutPreemptively(SOON, () -> walk.through(crowd)));
      assertEquals(List.of(". has too many entries to look at all of them"), walk.notes());
    }
    assertEquals(Walk.MAX_HELD_NAMES, taken.get());
  }

  /** Interrupts a call and waits until that has come to the thread which reads the directory. */
  private static Runnable pausing(Thread call) {
    return () -> {
      call.interrupt();
      while (!Thread.currentThread().isInterrupted()) {
        Thread.onSpinWait();
      }
    };
  }

  @Test
  void anInterruptEndsASearchInTheMiddleOfALargeDirectory() throws Exception {
    AtomicInteger taken = new AtomicInteger();
    AtomicInteger given = new AtomicInteger();
    try (Root root = root()) {
      Walk<Findings> walk = walk(root, taken);
      Crowd crowd = new Crowd(200_000, given, pausing(Thread.currentThread()));
      assertThrows(InterruptedException.class, () -> walk.through(crowd));
    }
    assertEquals(100_001, given.get());
    assertEquals(0, taken.get());
  }

  @Test
  @Timeout(60)
  void anInterruptEndsAllThreadsOfASearch() throws Exception {
    CountDownLatch searching = new CountDownLatch(1);
    Thread call =
        Thread.ofPlatform()
            .name("searching")
            .start(
                () -> {
                  Crew crew = new Crew(4, Duration.ofHours(1));
                  try {
                    boolean unused =
                        crew.run(
                            () -> {
                              searching.countDown();
                              new CountDownLatch(1).await();
                            });
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
    searching.await();
    call.interrupt();
    call.join();
    assertEquals(
        List.of(), workers().stream().filter(name -> name.startsWith("searching")).toList());
  }

  @Test
  void aSearchThatTakesTooLongShowsWhatItHadUntilThen() throws Exception {
    // So much that no thread is through with it before the time is over.
    place.file("a.txt", "hay\n".repeat(16 << 20));
    GrepTool grep = new GrepTool(2, Duration.ofNanos(1));
    try (Root root = root()) {
      for (String path : new String[] {".", "a.txt"}) {
        ToolResult result =
            grep.call(Workplace.json("{pattern:'needle', path:'" + path + "'}"), seat(root));
        assertFalse(result.error());
        assertTrue(result.truncated());
        assertTrue(result.text().contains("[ended after 0 s; "), result.text());
      }
    }
  }

  @Test
  void expressionsThatMakeOtherEnginesHangEndInTime() throws IOException {
    place.file("c.txt", ("a".repeat(50_000) + "\n").repeat(20));
    assertTimeoutPreemptively(
        SOON,
        () -> {
          for (String pattern :
              new String[] {
                "^(a+)+$b", "(a|aa)*(a|aa)*Q", "(.*a){12}b", "(a?){60}a{60}b", "(a*)*c"
              }) {
            String text = place.ok("grep", "{pattern:'" + pattern + "'}");
            assertTrue(text.startsWith("[no match"), text);
          }
        });
  }
}
