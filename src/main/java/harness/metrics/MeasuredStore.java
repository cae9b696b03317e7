package harness.metrics;

import harness.agent.Address;
import harness.agent.Instance;
import harness.store.Append;
import harness.store.Appended;
import harness.store.Claim;
import harness.store.EventStore;
import harness.store.Held;
import harness.store.Opening;
import harness.store.StoreUnableException;
import harness.store.StoredEvent;
import harness.store.StoredFault;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A store whose appends are timed, from their call to their commit. */
final class MeasuredStore implements EventStore {
  private static final double[] BOUNDS = {0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 5};

  private final EventStore store;
  private final InstantSource clock;
  private final Histogram appends;

  MeasuredStore(EventStore store, InstantSource clock, PrometheusRegistry registry) {
    this.store = store;
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

  @Override
  public Optional<Held> find(Instance instance) {
    return store.find(instance);
  }

  @Override
  public Opening opening(Instance instance) {
    return store.opening(instance);
  }

  @Override
  public List<StoredEvent> read(Instance instance, long from, int atMost) {
    return store.read(instance, from, atMost);
  }

  @Override
  public Optional<Claim.Key> key(String scope, String key) {
    return store.key(scope, key);
  }

  @Override
  public Optional<Claim.Epoch> epoch(Address address) {
    return store.epoch(address);
  }

  @Override
  public List<Held> unsettled() {
    return store.unsettled();
  }

  @Override
  public List<StoredFault> faults(long from, int atMost) {
    return store.faults(from, atMost);
  }

  @Override
  public long faultsEnd() {
    return store.faultsEnd();
  }

  @Override
  public List<Instance> free(Set<Instance> live, Instant before, Instant now) {
    return store.free(live, before, now);
  }

  @Override
  public void close() {
    store.close();
  }
}
