package harness.workspace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class UnixSocketTest {
  private final Random random = new Random(harness.Seed.get(UnixSocketTest.class));
  private Path base;
  private Path path;

  @BeforeEach
  void open(@TempDir Path given) throws IOException {
    base = Files.createDirectory(given.toRealPath().resolve("run"));
    path = base.resolve("runner.sock");
  }

  private UnixSocket listen() throws IOException {
    return UnixSocket.listen(path, random);
  }

  private List<String> names() throws IOException {
    try (var files = Files.list(base)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private void assertReached(UnixSocket socket) throws IOException {
    try (SocketChannel out = UnixSocket.connect(path);
        SocketChannel in = socket.channel().accept()) {
      assertTrue(out.isConnected() && in.isConnected());
    }
  }

  @Test
  void whoConnectsToTheNameReachesIt() throws IOException {
    try (UnixSocket socket = listen()) {
      assertReached(socket);
      assertEquals(List.of("runner.sock"), names());
    }
  }

  @Test
  void itsOwnerAndItsGroupMayConnectAndNobodyElse() throws IOException {
    try (UnixSocket _ = listen()) {
      assertEquals("rw-rw----", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
    }
  }

  @Test
  void itsNameGoesWithItAndSoDoesNoOther() throws IOException {
    listen().close();
    assertEquals(List.of(), names());
    UnixSocket socket = listen();
    Files.delete(path);
    Files.writeString(path, "another's");
    socket.close();
    assertEquals("another's", Files.readString(path));
  }

  @Test
  void theSocketOfADeadOneIsReplaced() throws IOException {
    stale();
    try (UnixSocket socket = listen()) {
      assertReached(socket);
      assertEquals(List.of("runner.sock"), names());
    }
  }

  private void stale() throws IOException {
    try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      dead.bind(UnixDomainSocketAddress.of(path));
    }
    assertTrue(Files.exists(path));
  }

  @Test
  void aLiveOneIsLeftAloneAndNamed() throws IOException {
    try (UnixSocket first = listen()) {
      IOException refused = assertThrows(IOException.class, this::listen);
      assertEquals(
          "another runner listens at " + path + "; end that one, or name another socket",
          refused.getMessage());
      first.channel().accept().close();
      assertReached(first);
      assertEquals(List.of("runner.sock"), names());
    }
  }

  private void assertNoSocket() {
    IOException refused = assertThrows(IOException.class, this::listen);
    assertEquals(
        path + " is there and is no socket; remove it, or name another place",
        refused.getMessage());
  }

  @Test
  void whatIsNoSocketIsLeftAlone() throws IOException {
    Path target = Files.writeString(base.resolve("target"), "kept");
    Files.createSymbolicLink(path, target);
    assertNoSocket();
    assertTrue(Files.isSymbolicLink(path));
    Files.delete(path);
    Files.writeString(path, "kept");
    assertNoSocket();
    assertEquals("kept", Files.readString(path));
    assertEquals(List.of("runner.sock", "target"), names());
  }

  @Test
  void ofManyThatStartAtOnceOverADeadOneOneListens() throws Exception {
    int starting = 4;
    for (int round = 0; round < 50; round++) {
      Files.deleteIfExists(path);
      stale();
      try (ExecutorService threads = Executors.newFixedThreadPool(starting)) {
        Callable<UnixSocket> start = this::listen;
        List<Future<UnixSocket>> all = threads.invokeAll(Collections.nCopies(starting, start));
        List<UnixSocket> listening =
            all.stream()
                .filter(one -> one.state() == Future.State.SUCCESS)
                .map(Future::resultNow)
                .toList();
        assertEquals(1, listening.size(), all::toString);
        for (UnixSocket socket : listening) {
          assertReached(socket);
          socket.close();
        }
      }
    }
  }

  @Test
  void noLinkIsFollowedOnTheWayToIt() throws IOException {
    Path link = base.resolveSibling("link");
    Files.createSymbolicLink(link, base);
    Path through = link.resolve("runner.sock");
    IOException refused = assertThrows(IOException.class, () -> UnixSocket.listen(through, random));
    assertEquals(
        "the directory "
            + link
            + " of the socket is a link or no directory; give the path without links in it",
        refused.getMessage());
    try (UnixSocket _ = listen()) {
      assertThrows(IOException.class, () -> UnixSocket.connect(through));
      Path alias = base.resolve("alias");
      Files.createSymbolicLink(alias, path);
      IOException none = assertThrows(IOException.class, () -> UnixSocket.connect(alias));
      assertEquals(alias + " is no socket", none.getMessage());
    }
  }

  @Test
  void aMissingDirectoryIsNotMade() {
    path = base.resolve("missing/runner.sock");
    assertEquals(
        "the directory "
            + base.resolve("missing")
            + " of the socket is not there; make it, or name another place",
        assertThrows(IOException.class, this::listen).getMessage());
    assertFalse(Files.exists(base.resolve("missing")));
  }

  @Test
  void aPathOfAnyLengthWillDo() throws IOException {
    Path deep = base;
    for (int i = 0; i < 10; i++) {
      deep = Files.createDirectory(deep.resolve("a-directory-with-a-name-" + i));
    }
    path = deep.resolve("runner.sock");
    try (UnixSocket socket = listen()) {
      assertReached(socket);
    }
  }

  @Test
  void whereNobodyListensIsSaid() throws IOException {
    stale();
    assertEquals(
        "nobody listens at " + path,
        assertThrows(IOException.class, () -> UnixSocket.connect(path)).getMessage());
    Files.delete(path);
    assertThrows(IOException.class, () -> UnixSocket.connect(path));
  }
}
