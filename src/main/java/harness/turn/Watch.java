package harness.turn;

import harness.fault.Fault;
import harness.fault.FaultClass;
import harness.model.Part;
import java.util.Optional;

/** Looks out for a Turn that goes on without end or in circles. One for each Turn. */
final class Watch {
  private final Budget budget;
  private int steps;
  private int identical;
  private Optional<Part.Call> last = Optional.empty();
  private String lastResult = "";

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

  /** Before a call is run; where this finds a fault it must not run. */
  Optional<Fault> call(Part.Call call) {
    boolean same =
        last.filter(one -> one.name().equals(call.name()) && one.input().equals(call.input()))
            .isPresent();
    identical = same ? identical + 1 : 1;
    last = Optional.of(call);
    if (!same) {
      lastResult = "";
    }
    return identical < budget.identicalCalls()
        ? Optional.empty()
        : Optional.of(
            runaway(
                "made "
                    + budget.identicalCalls()
                    + " identical calls of "
                    + call.name()
                    + " in a row; say in the prompt what to do instead"));
  }

  /** After a call was run: one whose result is another is no repetition. */
  void returned(String result) {
    if (!result.equals(lastResult)) {
      identical = 1;
    }
    lastResult = result;
  }

  private static Fault runaway(String what) {
    return new Fault(FaultClass.RUNAWAY, "the Turn " + what);
  }
}
