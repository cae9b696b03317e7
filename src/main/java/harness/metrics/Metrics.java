package harness.metrics;

import harness.conversation.Conversations;
import harness.conversation.EventListener;
import harness.model.ModelWatch;
import harness.store.EventStore;
import harness.tool.ToolHost;
import harness.tool.ToolSpec;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** All that one Harness counts. */
public final class Metrics {
  /** The media type of {@link #text}. */
  public static final String CONTENT_TYPE = PrometheusTextFormatWriter.CONTENT_TYPE;

  private static final double NANOS = Duration.ofSeconds(1).toNanos();

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final InstantSource clock;
  private final SettlementMetrics settlements = new SettlementMetrics(registry);
  private final AdmissionMetrics admissions = new AdmissionMetrics(registry);
  private final ModelMetrics models = new ModelMetrics(registry);

  public Metrics(InstantSource clock) {
    this.clock = clock;
  }

  /** Counts the Settlements that it hears. */
  public EventListener settlements() {
    return settlements;
  }

  public AdmissionMetrics admissions() {
    return admissions;
  }

  /** Hears how the calls to the providers go. */
  public ModelWatch models() {
    return models;
  }

  /** The store, measured. To be asked for once. */
  public EventStore around(EventStore store) {
    return new MeasuredStore(store, clock, registry);
  }

  /**
   * The tool host, measured. To be asked for once.
   *
   * @param specs its tools: calls of other names are counted together
   */
  public ToolHost around(ToolHost tools, List<ToolSpec> specs) {
    return new MeasuredTools(tools, specs, clock, registry);
  }

  /** Shows how many Turns run and wait. To be asked for once. */
  public void show(Conversations conversations) {
    gauge("harness_turns_live", "Turns that run", () -> conversations.load().live());
    gauge(
        "harness_submissions_queued", "Submissions that wait", () -> conversations.load().queued());
  }

  private interface Count {
    int now();
  }

  private void gauge(String name, String help, Count count) {
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .callback(callback -> callback.call(count.now()))
        .register(registry);
  }

  /** All of it as Prometheus reads it. */
  public String text() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      PrometheusTextFormatWriter.create()
          .write(out, registry.scrape(), EscapingScheme.UNDERSCORE_ESCAPING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  /** A histogram of seconds. */
  static Histogram seconds(
      PrometheusRegistry registry, String name, String help, double[] bounds, String... labels) {
    return Histogram.builder()
        .name(name)
        .help(help)
        .classicOnly()
        .classicUpperBounds(bounds)
        .labelNames(labels)
        .register(registry);
  }

  static double seconds(Duration time) {
    return time.toNanos() / NANOS;
  }
}
