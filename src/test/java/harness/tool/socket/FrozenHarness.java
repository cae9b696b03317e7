package harness.tool.socket;

import harness.tool.Progress;
import harness.tool.WorkingTools;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;

/** A Harness's end of a socket in a process of its own, which a test stops for a while. */
final class FrozenHarness {
  /** How long it waits for a frame and for an answer; a stop counts one second of that at most. */
  static final Duration PATIENCE = Duration.ofSeconds(3);

  private FrozenHarness() {}

  /** Its argument is the socket; says what became of a call, and of another one after it. */
  public static void main(String[] arguments) throws InterruptedException {
    Timing usual = Timing.USUAL;
    RunnerToolHost host =
        new RunnerToolHost(
            Path.of(arguments[0]),
            SocketFixture.ROOT,
            WorkingTools.specs(),
            _ -> Duration.ofMinutes(1),
            new Timing(
                1, 1, usual.pause(), usual.hello(), PATIENCE, usual.late(), PATIENCE, PATIENCE),
            InstantSource.system());
    CountDownLatch released = new CountDownLatch(1);
    Thread.ofPlatform()
        .start(
            () -> {
              host.release(SocketFixture.CODER);
              released.countDown();
            });
    System.out.println(host.call(SocketFixture.call("read"), Progress.NONE).text());
    released.await();
    System.out.println(host.call(SocketFixture.call("read"), Progress.NONE).text());
  }
}
