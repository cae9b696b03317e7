package harness.tool;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Runs calls on threads of the platform, each within its time limit. Tools compute and call the
 * system, which a virtual thread does not yield at, so that a few of them would hold up everything
 * else in the process.
 *
 * <p>A call whose time is over, or whose caller is interrupted, is told to end by an interrupt. One
 * that does not listen is left behind after {@link #GRACE}: its caller gets an error, its {@link
 * harness.workspace.Root} is closed under it, and its thread counts among the running until it
 * ends.
 */
final class Workers implements AutoCloseable {
  /** How many calls run at once; those that were left behind are among them. */
  static final int MAX_AT_ONCE = 256;

  /** How long a call waits for a thread; its time limit begins after that. */
  static final Duration MAX_WAIT = Duration.ofSeconds(30);

  /** How long a call that was told to end has for it. */
  static final Duration GRACE = Duration.ofSeconds(1);

  static final String CANCELLED =
      "cancelled: the Turn was ended while this call ran; what it did until then stays";

  private static final Duration IDLE = Duration.ofSeconds(10);
  private static final System.Logger LOG = System.getLogger(Workers.class.getName());

  private final int atOnce;
  private final Duration maxWait;
  private final Semaphore free;
  private final Timers timers;
  private final AtomicInteger leftBehind = new AtomicInteger();
  private final ExecutorService threads;

  Workers(InstantSource clock) {
    this(clock, MAX_AT_ONCE, MAX_WAIT);
  }

  Workers(InstantSource clock, int atOnce, Duration maxWait) {
    this(
        new Timers(clock),
        atOnce,
        maxWait,
        Thread.ofPlatform().daemon().name("tool-", 0).factory());
  }

  Workers(Timers timers, int atOnce, Duration maxWait, ThreadFactory threads) {
    this.timers = timers;
    this.atOnce = atOnce;
    this.maxWait = maxWait;
    this.free = new Semaphore(atOnce, true);
    this.threads =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE.toSeconds(),
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            threads);
  }

  /**
   * Starts a call, which is answered within its limit, give or take {@link #GRACE}; what it ends by
   * is a result.
   *
   * @param limit how long it may take once it has a thread
   * @param body answers {@link Job#cut()} where it meets an interrupt
   */
  StartedCall start(ToolCall call, Duration limit, Function<Job, ToolResult> body) {
    Job job = new Job(call);
    if (free.tryAcquire()) {
      execute(job, limit, body);
    } else {
      Thread.ofVirtual().name("tool call waits").start(() -> await(job, limit, body));
    }
    return new StartedCall(job.result(), () -> end(job, CANCELLED));
  }

  /** How many calls were left behind and still run. */
  int leftBehind() {
    return leftBehind.get();
  }

  private void await(Job job, Duration limit, Function<Job, ToolResult> body) {
    try {
      if (free.tryAcquire(maxWait.toNanos(), TimeUnit.NANOSECONDS)) {
        execute(job, limit, body);
      } else {
        boolean _ = job.tell(busy(job.call()));
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody knows this thread", e);
    }
  }

  private void execute(Job job, Duration limit, Function<Job, ToolResult> body) {
    try {
      threads.execute(() -> work(job, limit, body));
    } catch (RejectedExecutionException e) {
      free.release();
      boolean _ = job.tell(job.call().name() + " did not run: the tool host is ending");
    } catch (OutOfMemoryError e) {
      free.release();
      LOG.log(Level.ERROR, "there is no room for the thread of a call", e);
      boolean _ =
          job.tell(
              job.call().name()
                  + " did not run: the tool host has no room for another thread; call it again"
                  + " later");
    }
  }

  private void work(Job job, Duration limit, Function<Job, ToolResult> body) {
    if (!job.begin()) {
      free.release();
      return;
    }
    ToolResult result;
    try {
      Thread.currentThread().setName(name(job));
      result = limited(job, limit, body);
    } catch (RuntimeException | Error e) {
      result = ToolBox.bug(job.call(), e);
    } finally {
      free.release();
    }
    job.done(result);
    if (job.left()) {
      LOG.log(
          Level.INFO,
          "{0}, which was left behind, has ended; {1} others have not",
          name(job),
          leftBehind.decrementAndGet());
    }
  }

  private ToolResult limited(Job job, Duration limit, Function<Job, ToolResult> body) {
    Timers.Timer timer = timers.start(limit, () -> end(job, overdue(job.call(), limit)));
    try {
      return body.apply(job);
    } finally {
      timer.stop();
    }
  }

  private void end(Job job, String why) {
    if (job.tell(why)) {
      timers.start(GRACE, () -> leave(job));
    }
  }

  private void leave(Job job) {
    int others = leftBehind.getAndIncrement();
    if (!job.leave()) {
      leftBehind.decrementAndGet();
      return;
    }
    LOG.log(
        Level.WARNING,
        "{0} does not end although it was told to, and is left behind; so are {1} others",
        name(job),
        others);
    job.result()
        .complete(
            ToolResult.failure(
                job.cut().text()
                    + "; it does not listen and was left behind: it opens nothing more, but what it"
                    + " was about to do may still happen"));
  }

  private static String name(Job job) {
    return "call " + job.call().callId() + " of " + job.call().name();
  }

  private static String overdue(ToolCall call, Duration limit) {
    return call.name()
        + " was ended at its time limit of "
        + seconds(limit)
        + "; what it did until then stays; ask for less at a time";
  }

  private String busy(ToolCall call) {
    return call.name()
        + " did not run: "
        + atOnce
        + " calls of tools run already, and none of them ended within "
        + seconds(maxWait)
        + "; call it again later";
  }

  private static String seconds(Duration time) {
    return time.toMillis() / 1000.0 + " s";
  }

  /** Tells all calls to end. */
  @Override
  public void close() {
    threads.shutdownNow();
  }
}
