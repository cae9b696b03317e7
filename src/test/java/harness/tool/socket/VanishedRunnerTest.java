package harness.tool.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.tool.FakeToolHost;
import harness.tool.MemoryExcess;
import harness.tool.Progress;
import harness.tool.ToolHost;
import harness.tool.ToolResult;
import harness.workspace.UnixSocket;
import harness.workspace.command.ContainerMemory;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A runner that its container's limit of memory may have ended. */
@Timeout(60)
class VanishedRunnerTest {
  private static final long MEBIBYTE = 1024 * 1024;
  private static final MemoryExcess NEAR = new MemoryExcess(390 * MEBIBYTE, 400 * MEBIBYTE);

  @TempDir private Path cgroup;
  private SocketFixture fixture;

  @BeforeEach
  void open(@TempDir Path directory) throws IOException {
    fixture = SocketFixture.in(directory);
  }

  private void holds(long mebibytes) throws IOException {
    Path next = Files.writeString(cgroup.resolve("next"), "anon " + mebibytes * MEBIBYTE + "\n");
    Files.move(next, cgroup.resolve("memory.stat"), java.nio.file.StandardCopyOption.ATOMIC_MOVE);
  }

  private ToolResult told(MemoryExcess... peaks) throws IOException {
    return told("", peaks);
  }

  /** What becomes of a call whose runner tells these peaks and is then gone. */
  private ToolResult told(String last, MemoryExcess... peaks) throws IOException {
    HostileRunner.Deed deed =
        peer -> {
          peer.hello();
          long id = peer.request();
          for (MemoryExcess peak : peaks) {
            peer.answer(new Answer.Memory(id, peak));
          }
          if (!last.isEmpty()) {
            peer.frame(last);
            peer.drain();
          }
        };
    try (HostileRunner _ = HostileRunner.at(fixture, deed);
        ToolHost host = fixture.impatient()) {
      return host.call(SocketFixture.call("read"), Progress.NONE);
    }
  }

  @Test
  void aCallWhoseRunnerIsGoneNearItsLimitEndedForWantOfMemory() throws Exception {
    ToolResult result = told(new MemoryExcess(100 * MEBIBYTE, 400 * MEBIBYTE), NEAR);
    assertTrue(result.error());
    assertEquals(Optional.of(NEAR), result.excess());
    assertTrue(
        result
            .text()
            .startsWith(
                "killed: memory limit (peak 390 MiB of 400 MiB); use fewer workers or a larger"
                    + " size; the connection to the tool host behind unix:"),
        result.text());
    assertTrue(result.text().contains("whether it took effect is not known"), result.text());
  }

  @Test
  void oneWhoseRunnerIsGoneFarFromItDidNot() throws Exception {
    for (ToolResult result :
        new ToolResult[] {told(), told(new MemoryExcess(299 * MEBIBYTE, 400 * MEBIBYTE))}) {
      assertEquals(Optional.empty(), result.excess());
      assertTrue(result.text().startsWith("the connection to"), result.text());
    }
  }

  @Test
  void oneWhoseRunnerBreaksTheProtocolDidNot() throws Exception {
    ToolResult result = told("garbage", NEAR);
    assertEquals(Optional.empty(), result.excess());
    assertTrue(result.text().contains("it broke the protocol"), result.text());
  }

  @Test
  void peaksWithoutEndEndTheConnection() throws Exception {
    MemoryExcess[] peaks = new MemoryExcess[Protocol.MAX_PEAKS + 1];
    java.util.Arrays.fill(peaks, NEAR);
    ToolResult result = told(peaks);
    assertEquals(Optional.empty(), result.excess());
    assertTrue(result.text().contains("more peaks of memory than a call has: 129"), result.text());
  }

  @Test
  void aRunnerTellsThePeakAsItGrowsAndNoMoreOnceTheCallHasEnded() throws Exception {
    Files.writeString(cgroup.resolve("memory.max"), 400 * MEBIBYTE + "\n");
    holds(100);
    CountDownLatch end = new CountDownLatch(1);
    FakeToolHost parked =
        new FakeToolHost(
            (_, _) -> {
              try {
                end.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              return FakeToolHost.text("ended");
            });
    try (Runner _ =
            fixture.runner(
                () -> parked, Runner.GRACE, new ContainerMemory(cgroup), InstantSource.system());
        SocketChannel channel = UnixSocket.connect(fixture.socket())) {
      channel.configureBlocking(true);
      HostileRunner.Peer peer = new HostileRunner.Peer(channel);
      channel.write(RequestCodec.encode(new Request.Hello(Protocol.VERSION)));
      Answer _ = AnswerCodec.decode(peer.frame());
      channel.write(RequestCodec.encode(new Request.Call(1, SocketFixture.call("list"))));
      assertEquals(peak(100), AnswerCodec.decode(peer.frame()));
      // Less, and hardly more, is not told.
      holds(50);
      holds(101);
      holds(120);
      assertEquals(peak(120), AnswerCodec.decode(peer.frame()));
      end.countDown();
      assertFalse(AnswerCodec.decode(peer.frame()) instanceof Answer.Memory);
    }
  }

  private static Answer peak(long mebibytes) {
    return new Answer.Memory(1, new MemoryExcess(mebibytes * MEBIBYTE, 400 * MEBIBYTE));
  }

  @Test
  void oneLookThatFailsEndsNoWatch() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    MemoryPeaks.Look failsOnce =
        () -> {
          if (looks.incrementAndGet() == 1) {
            throw new IOException("too many open files");
          }
          return Optional.of(new ContainerMemory.Usage(NEAR.peakBytes(), NEAR.limitBytes()));
        };
    CountDownLatch heard = new CountDownLatch(1);
    MemoryPeaks peaks = new MemoryPeaks(failsOnce, _ -> heard.countDown());
    peaks.begin(1);
    heard.await();
    peaks.end(1);
  }
}
