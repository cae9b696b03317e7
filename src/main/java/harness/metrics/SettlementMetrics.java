package harness.metrics;

import harness.agent.Instance;
import harness.conversation.Event;
import harness.conversation.EventListener;
import harness.conversation.Settlement;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.List;

/** How Submissions ended. */
final class SettlementMetrics implements EventListener {
  private static final String NO_FAULT = "none";

  private final Counter settled;

  SettlementMetrics(PrometheusRegistry registry) {
    settled =
        Counter.builder()
            .name("harness_submissions_settled_total")
            .help("Submissions that settled, by outcome and class of the fault")
            .labelNames("outcome", "fault")
            .register(registry);
  }

  @Override
  public void stored(Instance instance, List<Event> events) {
    for (Event event : events) {
      if (event instanceof Event.SubmissionSettled settled) {
        count(settled.settlement());
      }
    }
  }

  private void count(Settlement settlement) {
    switch (settlement) {
      case Settlement.Completed _ -> settled.labelValues("completed", NO_FAULT).inc();
      case Settlement.Aborted _ -> settled.labelValues("aborted", NO_FAULT).inc();
      case Settlement.Forbidden _ -> settled.labelValues("failed", NO_FAULT).inc();
      case Settlement.Failed failed ->
          settled.labelValues("failed", failed.fault().faultClass().wireName()).inc();
    }
  }
}
