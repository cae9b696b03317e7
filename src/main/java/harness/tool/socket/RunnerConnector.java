package harness.tool.socket;

import harness.tool.Timers;
import harness.tool.ToolSpec;
import harness.tool.Waiting;
import harness.workspace.UnixSocket;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** Connects to the runner when it is needed, and again when the connection has ended. */
final class RunnerConnector {
  private final Path socket;
  private final String readRoot;
  private final Map<String, String> tools;
  private final Timing timing;
  private final Timers timers;
  private final ReentrantLock connecting = new ReentrantLock();
  private volatile Optional<RunnerLink> current = Optional.empty();
  private volatile Optional<UnreachableException> failed = Optional.empty();
  private volatile boolean closed;

  RunnerConnector(
      Path socket, String readRoot, List<ToolSpec> specs, Timing timing, Timers timers) {
    this.socket = socket;
    this.readRoot = readRoot;
    this.tools = Offers.digests(specs);
    this.timing = timing;
    this.timers = timers;
  }

  /** How messages name the runner. */
  String place() {
    return "the tool host behind unix:" + socket;
  }

  /** The connection that is there. */
  Optional<RunnerLink> current() {
    return current.filter(link -> link.ended().isEmpty());
  }

  /**
   * A connection whose runner is the right one.
   *
   * @param tries how often it is tried, with pauses in between
   */
  RunnerLink link(int tries) throws UnreachableException, InterruptedException {
    for (int left = tries; ; left--) {
      Optional<RunnerLink> link = current();
      if (link.isPresent()) {
        return link.get();
      }
      try {
        return connect();
      } catch (UnreachableException e) {
        if (left <= 1 || e.lasting()) {
          throw e;
        }
        Thread.sleep(timing.pause());
      }
    }
  }

  /** One connects, and who waits for that meanwhile takes what comes of it. */
  private RunnerLink connect() throws UnreachableException, InterruptedException {
    Optional<UnreachableException> before = failed;
    connecting.lockInterruptibly();
    try {
      Optional<RunnerLink> link = current();
      if (link.isPresent()) {
        return link.get();
      }
      if (failed.isPresent() && !failed.equals(before)) {
        throw failed.get();
      }
      RunnerLink made = greet();
      current = Optional.of(made);
      return made;
    } catch (UnreachableException e) {
      failed = Optional.of(e);
      throw e;
    } finally {
      connecting.unlock();
    }
  }

  private RunnerLink greet() throws UnreachableException, InterruptedException {
    if (closed) {
      throw new UnreachableException(RunnerLink.ENDING, true);
    }
    RunnerLink link;
    try {
      SocketChannel channel = UnixSocket.connect(socket);
      link = RunnerLink.over(channel, place(), timing, timers);
    } catch (IOException e) {
      throw new UnreachableException(
          place()
              + " can't be reached: "
              + e.getMessage()
              + "; start one with: harness runner --socket "
              + socket,
          false);
    }
    boolean good = false;
    try {
      Optional<Optional<Answer.Hello>> hello = Waiting.within(link.hello(), timing.hello());
      check(link, hello);
      good = true;
      return link;
    } finally {
      if (!good) {
        link.end("it is not the runner of this Harness");
      }
    }
  }

  private void check(RunnerLink link, Optional<Optional<Answer.Hello>> heard)
      throws UnreachableException {
    Optional<Answer.Hello> said = heard.flatMap(hello -> hello);
    if (said.isEmpty()) {
      throw new UnreachableException(
          place()
              + " takes connections and does not say what it is ("
              + link.ended().orElse("nothing came within " + timing.hello().toSeconds() + " s")
              + "); start it anew",
          heard.isEmpty());
    }
    Answer.Hello hello = said.get();
    if (hello.protocol() != Protocol.VERSION) {
      throw other(
          "speaks protocol "
              + hello.protocol()
              + ", and this Harness protocol "
              + Protocol.VERSION
              + "; run both from one build");
    }
    Optional<String> difference = Offers.difference(tools, hello.tools());
    if (difference.isPresent()) {
      throw other(
          "has other tools than this Harness: " + difference.get() + "; run both from one build");
    }
    if (!hello.root().equals(readRoot)) {
      throw other(
          "serves the workspace "
              + hello.root()
              + ", and this Harness has "
              + readRoot
              + "; start it with: harness runner --workspace "
              + readRoot);
    }
  }

  private UnreachableException other(String how) {
    return new UnreachableException(place() + " " + how, true);
  }

  /** Connects no more. */
  void close() {
    closed = true;
    current.ifPresent(link -> link.end(RunnerLink.ENDING));
  }
}
