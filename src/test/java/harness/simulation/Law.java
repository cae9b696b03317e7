package harness.simulation;

import java.util.Optional;
import java.util.function.Supplier;

/** What must always hold: where it does not, the simulation ends and says so. */
record Law(Scheduler scheduler) {
  void holds(boolean fact, Supplier<String> otherwise) {
    if (!fact) {
      throw scheduler.fail("broken: " + otherwise.get());
    }
  }

  /** What must be there. */
  <T> T there(Optional<T> found, Supplier<String> otherwise) {
    holds(found.isPresent(), otherwise);
    return found.orElseThrow();
  }
}
