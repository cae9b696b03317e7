package harness.scenario;

/** A scenario that did not hold: which one, at which step, what was expected and what was there. */
public final class ScenarioFailure extends Exception {
  private static final long serialVersionUID = 1L;

  ScenarioFailure(String message) {
    super(message);
  }

  ScenarioFailure(String message, Throwable cause) {
    super(message, cause);
  }

  /** A part of a step that did not hold, before the step is known. */
  static ScenarioFailure expected(String what, Object expected, Object actual) {
    return new ScenarioFailure(what + "\n  expected: " + expected + "\n  actual:   " + actual);
  }
}
