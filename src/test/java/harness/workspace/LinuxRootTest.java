package harness.workspace;

import static harness.workspace.Workbench.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import harness.workspace.PathException.Kind;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What only a real file system has. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LinuxRootTest {
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

  private void run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).directory(bench.cwd.toFile()).inheritIO().start();
    assertEquals(0, process.waitFor(), () -> String.join(" ", command));
  }

  private void assertNoFile(String path, String what) {
    String is = "'" + path + "' is " + what + ", not a regular file";
    assertRefused(Kind.NOT_A_FILE, is, () -> bench.read(path));
    assertRefused(Kind.NOT_A_FILE, is, () -> bench.write(path, "no"));
  }

  @Test
  void aFifoAnswersAtOnce() throws Exception {
    run("mkfifo", "fifo");
    assertNoFile("fifo", "a FIFO");
    assertEquals(FileKind.FIFO, bench.root.status("fifo").kind());
    assertRefused(Kind.NOT_A_DIRECTORY, () -> bench.root.directory("fifo"));
    assertRefused(Kind.NOT_A_DIRECTORY, () -> bench.read("fifo/x"));
    assertRefused(Kind.NOT_A_DIRECTORY, () -> bench.write("fifo/x", "no"));
    try (Directory directory = bench.root.directory(".")) {
      assertRefused(
          Kind.NOT_A_FILE, "'fifo' is a FIFO, not a regular file", () -> directory.file("fifo"));
      assertRefused(Kind.NOT_A_DIRECTORY, () -> directory.directory("fifo"));
    }
  }

  @Test
  void aSocketAnswersAtOnce() throws Exception {

    try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      socket.bind(UnixDomainSocketAddress.of(bench.cwd.resolve("socket")));
      assertNoFile("socket", "a socket");
      try (Directory directory = bench.root.directory(".")) {
        assertRefused(
            Kind.NOT_A_FILE,
            "'socket' is a socket, not a regular file",
            () -> directory.file("socket"));
      }
    }
  }

  @Test
  void aDeviceAnswersAtOnce() throws Exception {
    assumeTrue(
        new ProcessBuilder("mknod", bench.cwd.resolve("device").toString(), "c", "1", "3")
                .start()
                .waitFor()
            == 0,
        "only root makes devices");
    assertNoFile("device", "a device");
  }

  @Test
  void aLinkToADeviceIsRefused() throws IOException {
    Files.createSymbolicLink(bench.cwd.resolve("null"), Path.of("/dev/null"));
    assertRefused(Kind.OUTSIDE, () -> bench.read("null"));
    assertRefused(Kind.OUTSIDE, () -> bench.write("null", "no"));
  }

  @Test
  void aLinkIntoProcLeadsNowhere() throws IOException {
    try (Root root = Root.open(bench.handles, "/proc", "/proc/" + ProcessHandle.current().pid())) {
      assertRefused(Kind.OUTSIDE, () -> root.file("root/etc/passwd"));
      assertRefused(Kind.OUTSIDE, () -> root.file("cwd/pom.xml"));
      assertRefused(Kind.NOT_FOUND, () -> root.file("ns/pid"));
    }
  }

  @Test
  void aNameThatIsNoUtf8IsReadAndWrittenByItsText() throws Exception {
    run("sh", "-c", "printf one > \"$(printf 'caf\\351')\"");
    bench.write("d\\xFF/new\\xE9", "two");
    bench.write("literal\\x5CxE9", "three");
    List<String> names = new ArrayList<>();
    try (Directory directory = bench.root.directory(".")) {
      directory.entries().forEachRemaining(entry -> names.add(entry.name()));
      assertEquals(Set.of("file", "caf\\xE9", "d\\xFF", "literal\\x5CxE9"), new HashSet<>(names));
      try (FileHandle file = directory.file("caf\\xE9")) {
        assertEquals("one", Workbench.read(file));
      }
    }
    assertEquals("one", bench.read("caf\\xE9"));
    assertEquals("two", bench.read("d\\xFF/new\\xE9"));
    assertEquals("d\\xFF/new\\xE9", bench.root.shown(bench.cwd + "/d\\xff/new\\xE9"));
    run("sh", "-c", "test \"$(cat \"$(printf 'd\\377/new\\351')\")\" = two");
    run("sh", "-c", "test \"$(cat 'literal\\xE9')\" = three");
    try (Root inner = Root.open(bench.handles, bench.work.toString(), bench.cwd + "/d\\xFF")) {
      assertEquals(bench.cwd + "/d\\xFF", inner.cwd());
    }
    run("sh", "-c", "rm -r -- caf* d*");
  }

  @Test
  void anOwnerIsKept() throws Exception {
    Path file = bench.cwd.resolve("file");
    assumeTrue(Files.getAttribute(file, "unix:uid").equals(0), "only root gives files away");
    run("chown", "1234:2345", "file");
    run("chmod", "640", "file");
    bench.write("file", "new");
    assertEquals(1234, Files.getAttribute(file, "unix:uid"));
    assertEquals(2345, Files.getAttribute(file, "unix:gid"));
    assertEquals(0100640, Files.getAttribute(file, "unix:mode"));
  }

  @Test
  void aSetUserBitIsNotKept() throws Exception {
    run("chmod", "6755", "file");
    bench.write("file", "new");
    assertEquals(0100755, Files.getAttribute(bench.cwd.resolve("file"), "unix:mode"));
  }

  @Test
  void aDirectoryThatOnlyMayBePassedThroughIsPassedThrough() throws Exception {
    bench.write("d/inner/x", "1");
    run("chmod", "111", "d");
    assertEquals("1", bench.read("d/inner/x"));
    run("chmod", "755", "d");
  }

  @Test
  void aStatusSaysWhichFileItIs() throws IOException {
    FileStatus status = bench.root.status("file");
    Path file = bench.cwd.resolve("file");
    assertEquals(Files.getAttribute(file, "unix:ino"), status.inode());
    assertEquals(0644, status.mode());
    Files.createLink(bench.cwd.resolve("same"), file);
    assertEquals(status, bench.root.status("same"));
  }

  @Test
  void aTimeOutOfRangeEndsWhereALongDoes() throws Exception {
    run("touch", "-d", "2400-01-01", "file");
    assertEquals(Long.MAX_VALUE, bench.root.status("file").modifiedNanos());
  }

  @Test
  void theKindsOfEntriesAreTold() throws Exception {
    run("mkfifo", "fifo");
    run("ln", "-s", "fifo", "link");
    run("mkdir", "directory");
    Map<String, FileKind> kinds = new TreeMap<>();
    try (Directory directory = bench.root.directory(".")) {
      directory.entries().forEachRemaining(entry -> kinds.put(entry.name(), entry.kind()));
    }
    assertEquals(
        Map.of(
            "directory", FileKind.DIRECTORY,
            "fifo", FileKind.FIFO,
            "file", FileKind.FILE,
            "link", FileKind.LINK),
        kinds);
  }

  @Test
  void aFileThatIsCutWhileItIsReadEndsEarly() throws IOException {
    bench.write("big", "x".repeat(10_000));
    try (FileHandle file = bench.root.file("big")) {
      assertEquals(10, file.read(ByteBuffer.allocate(10), 0));
      Files.writeString(bench.cwd.resolve("big"), "short");
      assertEquals(-1, file.read(ByteBuffer.allocate(10), 10));
    }
  }

  @Test
  void aHeldDirectoryThatIsMovedIsStillTheOneThatIsWritten() throws IOException {
    Path elsewhere = bench.work.resolve("elsewhere");
    Files.move(bench.cwd, elsewhere);
    Files.createSymbolicLink(bench.cwd, bench.outside);
    bench.write("new", "mine");
    assertEquals("mine", Files.readString(elsewhere.resolve("new")));
    assertEquals(List.of("secret"), bench.namesIn(bench.outside));
  }

  @Test
  void aWorkingDirectoryThatIsGoneIsSaid() throws IOException {
    Files.delete(bench.cwd.resolve("file"));
    Files.delete(bench.cwd);
    assertRefused(Kind.NOT_FOUND, () -> bench.read("file"));
    assertRefused(Kind.NOT_FOUND, () -> bench.write("file", "x"));
    assertRefused(Kind.NOT_FOUND, () -> bench.write("d/file", "x"));
  }

  @Test
  void aLinkTextMayBeAnyBytes() throws Exception {
    run("sh", "-c", "mkdir \"$(printf 'd\\351')\" && ln -s \"$(printf 'd\\351')\" link");
    bench.write("link/x", "1");
    assertEquals("1", bench.read("d\\xE9/x"));
    run("sh", "-c", "rm -r -- d* link");
  }

  @Test
  void aMoveToAnotherFileSystemIsRefusedWithTheMend(@TempDir Path elsewhere) throws IOException {
    assumeFalse(Files.getFileStore(elsewhere).equals(Files.getFileStore(bench.cwd)));
    Path file = bench.cwd.resolve("file");
    try (Root whole = Root.open(bench.handles, "/", "/")) {
      Workbench.assertRefused(
          PathException.Kind.SYSTEM,
          "'"
              + file
              + "' can't be moved: it would go to another file system; copy it there by a command"
              + " and delete it here",
          () -> whole.move(file.toString(), elsewhere + "/new/file"));
    }
    assertEquals("content", bench.read("file"));
    assertFalse(Files.exists(elsewhere.resolve("new")));
  }

  @Test
  void theTemporaryFileTellsWhatItIs() throws IOException {
    try (OpenDirectory top = bench.handles.top()) {
      OpenDirectory directory = top;
      List<OpenDirectory> opened = new ArrayList<>();
      for (Path name : bench.cwd) {
        directory = directory.directory(Name.of(name.toString().getBytes(StandardCharsets.UTF_8)));
        opened.add(directory);
      }
      try (OpenDirectory.Temporary file = directory.temporary(java.util.Optional.empty())) {
        assertTrue(
            file.name().toString().matches("\\.harness-[0-9a-f]{16}\\.tmp"),
            () -> file.name().toString());
      }
      opened.forEach(OpenDirectory::close);
    }
  }
}
