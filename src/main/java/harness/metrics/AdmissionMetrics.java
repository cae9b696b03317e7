package harness.metrics;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/** How admissions were answered. */
public final class AdmissionMetrics {
  private final Counter answered;

  AdmissionMetrics(PrometheusRegistry registry) {
    answered =
        Counter.builder()
            .name("harness_admissions_total")
            .help("Admissions that were answered, by HTTP status")
            .labelNames("status")
            .register(registry);
  }

  /** An admission was answered with this status. */
  public void answered(int status) {
    answered.labelValues(Integer.toString(status)).inc();
  }
}
