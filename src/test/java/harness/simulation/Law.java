package harness.simulation;

import java.util.function.Supplier;

/** What must always hold: where it does not, the simulation ends and says so. */
record Law(Scheduler scheduler) {
  void holds(boolean fact, Supplier<String> otherwise) {
    if (!fact) {
      throw scheduler.fail("broken: " + otherwise.get());
    }
  }
}
