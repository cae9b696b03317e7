package harness.tool.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.TestClock;
import harness.tool.FakeToolHost;
import harness.tool.Timers;
import harness.workspace.UnixSocket;
import java.io.BufferedReader;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** That a process which was stopped for long goes on where it was, on either side of a socket. */
@Timeout(60)
class FrozenTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** Longer than what the frozen Harness here gives a frame and an answer. */
  private static final Duration FROZEN = FrozenHarness.PATIENCE.plusMillis(500);

  /** Lets time pass until a look at it has counted a second. */
  private static void pass(TestClock clock, Timers timers, Duration time) throws Exception {
    CountDownLatch looked = new CountDownLatch(1);
    timers.start(SECOND, looked::countDown);
    do {
      // The looks begin only a moment after the first limit.
      clock.goOn(time);
    } while (!looked.await(200, TimeUnit.MILLISECONDS));
  }

  @Test
  void aDeadlineCountsTheTimeInWhichTheProcessRuns() throws Exception {
    TestClock clock = new TestClock();
    Timers timers = new Timers(clock);
    pass(clock, timers, SECOND);
    CountDownLatch late = new CountDownLatch(1);
    Deadline deadline = new Deadline(timers, Duration.ofSeconds(20), late::countDown);
    deadline.begin();
    pass(clock, timers, Duration.ofHours(1));
    assertEquals(1, late.getCount());
    // A limit that starts during a look may be counted in it, so it takes some more than 20.
    for (int second = 0; second < 100 && late.getCount() > 0; second++) {
      pass(clock, timers, SECOND);
    }
    assertTrue(late.await(SocketFixture.PATIENCE_SECONDS, TimeUnit.SECONDS));
  }

  @Test
  void aRunnerKeepsWhatItRunsForAHarnessThatReadsNothingForLong(@TempDir Path directory)
      throws Exception {
    int calls = 16;
    TestClock clock = new TestClock();
    CountDownLatch over = new CountDownLatch(calls);
    FakeToolHost there =
        new FakeToolHost(
            (_, progress) -> {
              progress.output("x".repeat(Protocol.MAX_OUTPUT_CHARS));
              over.countDown();
              return FakeToolHost.text("done");
            });
    SocketFixture fixture = SocketFixture.in(directory);
    try (Runner _ = fixture.runner(() -> there, Runner.GRACE, clock);
        SocketChannel channel = UnixSocket.connect(fixture.socket())) {
      channel.configureBlocking(true);
      HostileRunner.Peer harness = new HostileRunner.Peer(channel);
      channel.write(RequestCodec.encode(new Request.Hello(Protocol.VERSION)));
      for (int id = 1; id <= calls; id++) {
        channel.write(RequestCodec.encode(new Request.Call(id, SocketFixture.call("read"))));
      }
      assertTrue(over.await(SocketFixture.PATIENCE_SECONDS, TimeUnit.SECONDS));
      Timers timers = new Timers(clock);
      for (int i = 0; i < 15; i++) {
        pass(clock, timers, Duration.ofMinutes(4));
      }
      int returned = 0;
      long bytes = 0;
      while (returned < calls) {
        byte[] frame = harness.frame();
        bytes += frame.length;
        returned += AnswerCodec.decode(frame) instanceof Answer.Returned ? 1 : 0;
      }
      assertTrue(bytes < calls * Protocol.MAX_OUTPUT_CHARS / 2, "output is held back: " + bytes);
    }
  }

  @Test
  void aHarnessThatWasStoppedInTheMiddleOfAFrameGoesOn(@TempDir Path directory) throws Exception {
    CompletableFuture<Process> harness = new CompletableFuture<>();
    AtomicInteger releases = new AtomicInteger();
    SocketFixture fixture = SocketFixture.in(directory);
    try (HostileRunner runner =
        HostileRunner.at(
            fixture,
            peer -> {
              peer.hello();
              long call = 0;
              long release = 0;
              while (call == 0 || release == 0) {
                Request next = peer.next();
                if (next instanceof Request.Release one) {
                  release = one.id();
                  releases.incrementAndGet();
                } else if (next instanceof Request.Call one) {
                  call = one.id();
                }
              }
              ByteBuffer whole =
                  AnswerCodec.encode(new Answer.Returned(call, FakeToolHost.text("went on")));
              peer.channel().write(whole.slice(0, 20));
              signal(harness.get(), "STOP");
              LockSupport.parkNanos(FROZEN.toNanos());
              signal(harness.get(), "CONT");
              // What is late ends the connection first, as a look at the clock comes before this.
              LockSupport.parkNanos(Duration.ofMillis(300).toNanos());
              peer.channel().write(whole.slice(20, whole.remaining() - 20));
              peer.answer(new Answer.Done(release));
              while (true) {
                Request next = peer.next();
                if (next instanceof Request.Release) {
                  releases.incrementAndGet();
                } else if (next instanceof Request.Call again) {
                  peer.answer(new Answer.Returned(again.id(), FakeToolHost.text("and on")));
                }
              }
            })) {
      harness.complete(
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin/java").toString(),
                  "--enable-native-access=ALL-UNNAMED",
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  FrozenHarness.class.getName(),
                  fixture.socket().toString())
              .redirectErrorStream(true)
              .start());
      try (BufferedReader said = harness.get().inputReader(StandardCharsets.UTF_8)) {
        assertEquals("went on", said.readLine());
        assertEquals("and on", said.readLine());
      } finally {
        harness.get().destroyForcibly();
      }
      assertEquals(1, releases.get(), "what was told is not told again");
      assertEquals(1, runner.connections());
    }
  }

  private static void signal(Process process, String name) throws Exception {
    int code = new ProcessBuilder("kill", "-" + name, "" + process.pid()).start().waitFor();
    assertEquals(0, code);
  }
}
