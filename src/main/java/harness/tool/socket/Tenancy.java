package harness.tool.socket;

import harness.tool.ToolBox;
import harness.tool.ToolHost;
import harness.tool.ToolSpec;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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
  private final List<ToolSpec> specs;
  private final Duration grace;
  private Served served;
  private int tenants;
  private long changes;
  private boolean over;

  /**
   * @param hosts makes the host, and another once what ran on one was ended
   * @param specs the tools that it has
   * @param grace how long it is kept for nobody
   */
  Tenancy(Supplier<ToolHost> hosts, List<ToolSpec> specs, Duration grace) {
    this.hosts = hosts;
    this.specs = List.copyOf(specs);
    this.grace = grace;
    this.served = serve();
  }

  /** A host and the way to call its tools. */
  record Served(ToolHost host, ToolBox tools) {}

  private Served serve() {
    ToolHost host = hosts.get();
    return new Served(host, new ToolBox(host, specs));
  }

  /** What is served now. */
  synchronized Served served() {
    return served;
  }

  /** A digest of each tool. */
  Map<String, String> offers() {
    return Offers.digests(specs);
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
    served.host().close();
    served = serve();
  }

  /** The runner ends. */
  synchronized void close() {
    over = true;
    served.host().close();
  }
}
