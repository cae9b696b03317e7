package harness.turn;

import harness.fault.Fault;
import harness.fault.FaultClass;
import harness.model.Part;
import java.util.Optional;

/** Looks out for a Turn that goes on without end or in circles. One for each Turn. */
final class Watch {
  private final Budget budget;
  private int steps;

  /**
   * @param segments how many there were before, where the Turn was paused: each is a step at least
   */
  Watch(Budget budget, int segments) {
    this.budget = budget;
    this.steps = segments;
  }

  /** Before a reply is asked for. */
  Optional<Fault> step() {
    steps++;
    return steps <= budget.steps()
        ? Optional.empty()
        : Optional.of(
            runaway("took " + budget.steps() + " steps without an end; give it a smaller task"));
  }

  /**
   * Before a call is run, or waits; where this finds a fault it must not run.
   *
   * @param repeats how often it was made last, in a row and with the same result
   */
  Optional<Fault> call(Part.Call call, int repeats) {
    return repeats + 1 < budget.identicalCalls()
        ? Optional.empty()
        : Optional.of(
            runaway(
                "made "
                    + budget.identicalCalls()
                    + " identical calls of "
                    + call.name()
                    + " in a row; say in the prompt what to do instead"));
  }

  private static Fault runaway(String what) {
    return new Fault(FaultClass.RUNAWAY, "the Turn " + what);
  }
}
