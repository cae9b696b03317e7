package harness.metrics;

import harness.agent.Instance;
import harness.tool.Progress;
import harness.tool.StartedCall;
import harness.tool.ToolCall;
import harness.tool.ToolHost;
import harness.tool.ToolResult;
import harness.tool.ToolSpec;
import harness.workspace.PathException;
import harness.workspace.git.PlaceOrder;
import harness.workspace.git.Placed;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A tool host whose calls are timed. */
final class MeasuredTools implements ToolHost {
  private static final double[] BOUNDS = {0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60, 300, 600};

  /** Under which calls are counted whose name is no tool's: a model may name anything. */
  private static final String OTHER = "other";

  private final ToolHost host;
  private final Set<String> names;
  private final InstantSource clock;
  private final Histogram calls;

  MeasuredTools(
      ToolHost host, List<ToolSpec> specs, InstantSource clock, PrometheusRegistry registry) {
    this.host = host;
    this.names = specs.stream().map(ToolSpec::name).collect(Collectors.toUnmodifiableSet());
    this.clock = clock;
    this.calls =
        Metrics.seconds(
            registry,
            "harness_tool_call_seconds",
            "Calls of Working tools, by name and outcome",
            BOUNDS,
            "tool",
            "outcome");
  }

  @Override
  public ToolResult call(ToolCall call, Progress progress) {
    Instant begin = clock.instant();
    ToolResult result = host.call(call, progress);
    observe(call, result, begin);
    return result;
  }

  @Override
  public StartedCall start(ToolCall call, Progress progress) {
    Instant begin = clock.instant();
    StartedCall started = host.start(call, progress);
    return started.whenEnded(result -> observe(call, result, begin));
  }

  private void observe(ToolCall call, ToolResult result, Instant begin) {
    calls
        .labelValues(
            names.contains(call.name()) ? call.name() : OTHER, result.error() ? "error" : "ok")
        .observe(Metrics.seconds(Duration.between(begin, clock.instant())));
  }

  @Override
  public void checkWorkspace() {
    host.checkWorkspace();
  }

  @Override
  public void checkDirectory(String cwd) throws PathException {
    host.checkDirectory(cwd);
  }

  @Override
  public Optional<String> branch(String worktree) throws PathException {
    return host.branch(worktree);
  }

  @Override
  public Placed place(PlaceOrder order) throws IOException, InterruptedException {
    return host.place(order);
  }

  @Override
  public void release(Instance instance) {
    host.release(instance);
  }

  @Override
  public void close() {
    host.close();
  }
}
