package harness.tool;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
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
  private final AtomicInteger leftBehind = new AtomicInteger();
  private final ExecutorService threads =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          IDLE.toSeconds(),
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          Thread.ofPlatform().daemon().name("tool-", 0).factory());

  Workers() {
    this(MAX_AT_ONCE, MAX_WAIT);
  }

  Workers(int atOnce, Duration maxWait) {
    this.atOnce = atOnce;
    this.maxWait = maxWait;
    this.free = new Semaphore(atOnce, true);
  }

  /**
   * Runs a call and answers within its limit, give or take {@link #GRACE}; what it ends by is a
   * result. An interrupt of the caller ends it as soon.
   *
   * @param limit how long it may take once it has a thread
   * @param body answers {@link Job#cut()} where it meets an interrupt
   */
  ToolResult run(ToolCall call, Duration limit, Function<Job, ToolResult> body) {
    try {
      if (!free.tryAcquire(maxWait.toNanos(), TimeUnit.NANOSECONDS)) {
        return ToolResult.failure(busy(call));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ToolResult.failure(CANCELLED);
    }
    Job job = new Job(call);
    try {
      threads.execute(() -> work(job, body));
    } catch (RejectedExecutionException e) {
      free.release();
      return ToolResult.failure(call.name() + " did not run: the tool host is ending");
    }
    return await(job, limit);
  }

  /** How many calls were left behind and still run. */
  int leftBehind() {
    return leftBehind.get();
  }

  private void work(Job job, Function<Job, ToolResult> body) {
    job.begin();
    Thread.currentThread().setName("tool " + job.call().name() + " " + job.call().callId());
    ToolResult result;
    try {
      result = body.apply(job);
    } catch (RuntimeException | Error e) {
      result = ToolBox.bug(job.call(), e);
    }
    free.release();
    job.done(result);
    if (job.left()) {
      LOG.log(
          Level.INFO,
          "{0}, which was left behind, has ended; {1} others have not",
          name(job),
          leftBehind.decrementAndGet());
    }
  }

  private ToolResult await(Job job, Duration limit) {
    try {
      var result = Waiting.within(job.result(), limit);
      if (result.isPresent()) {
        return result.get();
      }
      job.end(overdue(job.call(), limit));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      job.end(CANCELLED);
    }
    return Waiting.uninterrupted(job.result(), GRACE).orElseGet(() -> leave(job));
  }

  private ToolResult leave(Job job) {
    int others = leftBehind.getAndIncrement();
    if (!job.leave()) {
      leftBehind.decrementAndGet();
      return job.result().join();
    }
    LOG.log(
        Level.WARNING,
        "{0} does not end although it was told to, and is left behind; so are {1} others",
        name(job),
        others);
    return ToolResult.failure(
        job.cut().text()
            + "; it does not listen and was left behind: it opens nothing more, but what it was"
            + " about to do may still happen");
  }

  private static String name(Job job) {
    return "the call " + job.call().callId() + " of " + job.call().name();
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
