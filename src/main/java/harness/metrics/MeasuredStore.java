package harness.metrics;

import harness.store.Append;
import harness.store.Appended;
import harness.store.EventStore;
import harness.store.StoreProxy;
import harness.store.StoreUnableException;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A store whose appends are timed, from their call to their commit. */
final class MeasuredStore extends StoreProxy {
  private static final double[] BOUNDS = {0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 5};

  private final InstantSource clock;
  private final Histogram appends;

  MeasuredStore(EventStore store, InstantSource clock, PrometheusRegistry registry) {
    super(store);
    this.clock = clock;
    this.appends =
        Metrics.seconds(
            registry,
            "harness_store_commit_seconds",
            "Appends until they were committed or refused, by outcome",
            BOUNDS,
            "outcome");
  }

  @Override
  public Appended append(Append append) {
    Instant begin = clock.instant();
    try {
      Appended answer = store.append(append);
      observe(answer instanceof Appended.Stored ? "stored" : "refused", begin);
      return answer;
    } catch (StoreUnableException e) {
      observe("failed", begin);
      throw e;
    }
  }

  private void observe(String outcome, Instant begin) {
    appends.labelValues(outcome).observe(Metrics.seconds(Duration.between(begin, clock.instant())));
  }
}
