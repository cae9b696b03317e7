package harness.tool.socket;

import harness.tool.ToolHost;
import harness.tool.WorkingTools;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.function.Supplier;

/**
 * A tool host behind a real socket, whose runner lives in this process. Tests don't close their
 * places, so that the oldest of some is closed when another is opened.
 */
public final class OverSocket {
  private static final int OPEN_AT_ONCE = 4;
  private static final Deque<OverSocket> OPEN = new ArrayDeque<>();

  private final Path directory;
  private final Runner runner;
  private final ToolHost host;

  private OverSocket(String readRoot, Supplier<ToolHost> hosts) throws IOException {
    this.directory = Files.createTempDirectory("runner").toRealPath();
    Path socket = directory.resolve("runner.sock");
    this.runner =
        Runner.start(
            socket,
            readRoot,
            WorkingTools.specs(),
            hosts,
            Runner.GRACE,
            SocketFixture.BOUNDLESS,
            InstantSource.system(),
            new Random(7));
    this.host = RunnerToolHost.at(socket, readRoot, InstantSource.system());
  }

  /**
   * The way to hosts behind a socket.
   *
   * @param hosts makes what the runner serves
   */
  public static ToolHost to(String readRoot, Supplier<ToolHost> hosts) {
    synchronized (OPEN) {
      try {
        if (OPEN.size() == OPEN_AT_ONCE) {
          OPEN.removeFirst().close();
        }
        OverSocket opened = new OverSocket(readRoot, hosts);
        OPEN.addLast(opened);
        return opened.host;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void close() throws IOException {
    host.close();
    runner.close();
    Files.delete(directory);
  }
}
