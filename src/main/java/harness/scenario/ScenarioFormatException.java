package harness.scenario;

/** A file that is no scenario; the message names the file, the place in it and the mend. */
public final class ScenarioFormatException extends Exception {
  private static final long serialVersionUID = 1L;

  ScenarioFormatException(String message) {
    super(message);
  }

  ScenarioFormatException(String message, Throwable cause) {
    super(message, cause);
  }
}
