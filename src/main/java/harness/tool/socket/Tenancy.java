package harness.tool.socket;

import harness.tool.ToolHost;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The tool host behind a runner's connections. What calls left running on purpose outlives the last
 * connection for a while, so that a Harness that was started again finds it; then it is ended.
 */
final class Tenancy {
  private static final System.Logger LOG = System.getLogger(Tenancy.class.getName());

  private final Supplier<ToolHost> hosts;
  private final Duration grace;
  private ToolHost host;
  private int tenants;
  private long changes;
  private boolean over;

  /**
   * @param hosts makes the host, and another once what ran on one was ended
   * @param grace how long it is kept for nobody
   */
  Tenancy(Supplier<ToolHost> hosts, Duration grace) {
    this.hosts = hosts;
    this.grace = grace;
    this.host = hosts.get();
  }

  /** The host as it is now. */
  synchronized ToolHost host() {
    return host;
  }

  synchronized void enter() {
    tenants++;
    changes++;
  }

  synchronized void leave() {
    tenants--;
    long leaving = ++changes;
    if (tenants == 0 && !over) {
      CompletableFuture.delayedExecutor(grace.toNanos(), TimeUnit.NANOSECONDS)
          .execute(() -> expire(leaving));
    }
  }

  private synchronized void expire(long leaving) {
    if (changes == leaving && !over) {
      LOG.log(
          Level.INFO,
          "no Harness came back within {0} s; what its calls left running is ended",
          grace.toSeconds());
      renew();
    }
  }

  /** A Harness says that it goes: where it is the only one, nothing of it is kept. */
  synchronized void end() {
    if (tenants == 1 && !over) {
      renew();
    }
  }

  private void renew() {
    host.close();
    host = hosts.get();
  }

  /** The runner ends. */
  synchronized void close() {
    over = true;
    host.close();
  }
}
