package harness.metrics;

import harness.model.ModelException;
import harness.model.ModelWatch;
import harness.model.Usage;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.Locale;

/** How the calls to the providers go. */
final class ModelMetrics implements ModelWatch {
  private static final double[] CALL_BOUNDS = {0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900};
  private static final double[] WAIT_BOUNDS = {0.01, 0.1, 1, 10, 30, 60, 300, 600};

  private final Histogram calls;
  private final Counter retries;
  private final Counter tokens;
  private final Histogram waits;
  private final Gauge breaker;

  ModelMetrics(PrometheusRegistry registry) {
    calls =
        Metrics.seconds(
            registry,
            "harness_model_call_seconds",
            "Calls to models, retries and waits included, by outcome",
            CALL_BOUNDS,
            "provider",
            "outcome");
    waits =
        Metrics.seconds(
            registry,
            "harness_model_wait_seconds",
            "Waits before attempts: on a place among the concurrent ones, the breaker, the rate",
            WAIT_BOUNDS,
            "provider",
            "on");
    retries =
        Counter.builder()
            .name("harness_model_retries_total")
            .help("Attempts that failed and were made again, by kind of the failure")
            .labelNames("provider", "kind")
            .register(registry);
    tokens =
        Counter.builder()
            .name("harness_model_tokens_total")
            .help("Tokens, as the providers counted them; input has cached_input in it")
            .labelNames("provider", "kind")
            .register(registry);
    breaker =
        Gauge.builder()
            .name("harness_model_breaker_state")
            .help("1 for the state that a provider's breaker is in")
            .labelNames("provider", "state")
            .register(registry);
  }

  @Override
  public void answered(String provider, Duration took, Usage usage) {
    calls.labelValues(provider, "ok").observe(Metrics.seconds(took));
    tokens.labelValues(provider, "input").inc(usage.inputTokens());
    tokens.labelValues(provider, "cached_input").inc(usage.cachedInputTokens());
    tokens.labelValues(provider, "output").inc(usage.outputTokens());
  }

  @Override
  public void failed(String provider, ModelException.Kind kind, Duration took) {
    calls.labelValues(provider, name(kind)).observe(Metrics.seconds(took));
  }

  @Override
  public void interrupted(String provider, Duration took) {
    calls.labelValues(provider, "interrupted").observe(Metrics.seconds(took));
  }

  @Override
  public void retried(String provider, ModelException.Kind kind) {
    retries.labelValues(provider, name(kind)).inc();
  }

  @Override
  public void waited(String provider, Wait on, Duration time) {
    waits.labelValues(provider, name(on)).observe(Metrics.seconds(time));
  }

  @Override
  public void breaker(String provider, Breaker state) {
    for (Breaker one : Breaker.values()) {
      breaker.labelValues(provider, name(one)).set(one == state ? 1 : 0);
    }
  }

  private static String name(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
