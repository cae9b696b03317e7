package harness.tool.socket;

import harness.tool.Timers;
import harness.tool.ToolHost;
import harness.tool.ToolSpec;
import harness.workspace.UnixSocket;
import harness.workspace.command.ContainerMemory;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Serves the Working tools over a Unix socket, several calls at once on one or several connections.
 * It holds no key and no state: what runs for a connection ends with it, and what calls left
 * running on purpose ends when no Harness came back within {@link #GRACE}.
 */
public final class Runner implements AutoCloseable {
  /** How long what calls left running is kept while no Harness is connected. */
  public static final Duration GRACE = Duration.ofSeconds(60);

  /** How many connections there are at once. */
  static final int MAX_SESSIONS = 16;

  /** How long the end waits for what runs. */
  private static final Duration END_TIME = Duration.ofSeconds(2);

  /** How long nobody is connected before a runner that lingers ends. */
  private static final Duration QUIET_TIME = Duration.ofSeconds(3);

  private static final Duration ACCEPT_PAUSE = Duration.ofMillis(100);
  private static final System.Logger LOG = System.getLogger(Runner.class.getName());

  private final UnixSocket socket;
  private final String readRoot;
  private final Tenancy tenancy;
  private final ContainerMemory memory;
  private final Timers timers;
  private final InstantSource clock;
  private final Set<Session> sessions = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean ending = new AtomicBoolean();
  private final CountDownLatch ended = new CountDownLatch(1);

  private Runner(
      UnixSocket socket,
      String readRoot,
      Tenancy tenancy,
      ContainerMemory memory,
      InstantSource clock) {
    this.memory = memory;
    this.timers = new Timers(clock);
    this.clock = clock;
    this.socket = socket;
    this.readRoot = readRoot;
    this.tenancy = tenancy;
  }

  /**
   * Starts one; it listens when this returns.
   *
   * @param socket absolute; see {@link UnixSocket#listen}
   * @param readRoot the workspace root, absolute
   * @param specs the tools that its hosts have
   * @param hosts makes a host, and another once what ran on one was ended
   * @param grace how long what calls left running is kept for nobody
   * @param memory that of its container, of which it tells while calls run
   * @param clock what limits are measured by
   * @throws IOException with a sentence that names the socket and the mend
   */
  public static Runner start(
      Path socket,
      String readRoot,
      List<ToolSpec> specs,
      Supplier<ToolHost> hosts,
      Duration grace,
      ContainerMemory memory,
      InstantSource clock,
      RandomGenerator names)
      throws IOException {
    UnixSocket listening = UnixSocket.listen(socket, names);
    Runner runner =
        new Runner(listening, readRoot, new Tenancy(hosts, specs, grace), memory, clock);
    Thread.ofPlatform().daemon().name("runner accept").start(runner::accept);
    return runner;
  }

  private void accept() {
    while (!ending.get()) {
      try {
        take(socket.channel().accept());
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException | RuntimeException | Error e) {
        // Whatever one connection meets, the next one is taken.
        LOG.log(Level.ERROR, "a connection could not be taken", e);
        pause();
      }
    }
  }

  /** What there is too little of, such as descriptors, may be there again soon. */
  private static void pause() {
    try {
      Thread.sleep(ACCEPT_PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void take(SocketChannel channel) throws IOException {
    if (sessions.size() == MAX_SESSIONS) {
      LOG.log(Level.WARNING, "a connection is refused: {0} are there already", MAX_SESSIONS);
      channel.close();
      return;
    }
    Session session = new Session(channel, tenancy, timers, memory, sessions::remove);
    sessions.add(session);
    session.start(readRoot);
  }

  /** Returns when it has ended. */
  public void awaitEnd() throws InterruptedException {
    ended.await();
  }

  /**
   * Ends it once no Harness was connected for a moment, because one that drains needs its tools to
   * the end and may be connecting just now.
   *
   * @param atMost how long it waits for that; zero ends it at once
   */
  public void end(Duration atMost) {
    Instant last = clock.instant().plus(atMost);
    Instant quiet = clock.instant().plus(QUIET_TIME);
    for (Instant now = clock.instant();
        now.isBefore(last) && now.isBefore(quiet);
        now = clock.instant()) {
      if (!sessions.isEmpty()) {
        quiet = now.plus(QUIET_TIME);
      }
      pause();
    }
    close();
  }

  /** Takes the socket away and ends all that runs; who asked for it is told. */
  @Override
  public void close() {
    if (!ending.compareAndSet(false, true)) {
      return;
    }
    try {
      socket.close();
    } catch (IOException e) {
      LOG.log(Level.WARNING, "the socket could not be taken away", e);
    }
    sessions.forEach(Session::end);
    boolean quiet =
        CompletableFuture.allOf(
                sessions.stream().map(Session::quiet).toArray(CompletableFuture[]::new))
            .handle((_, _) -> true)
            .completeOnTimeout(false, END_TIME.toNanos(), TimeUnit.NANOSECONDS)
            .join();
    if (!quiet) {
      LOG.log(Level.WARNING, "some calls do not end although they were told to; they are cut off");
    }
    sessions.forEach(Session::close);
    tenancy.close();
    ended.countDown();
  }
}
