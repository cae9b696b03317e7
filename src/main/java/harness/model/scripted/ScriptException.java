package harness.model.scripted;

/** A script that can't be followed; the message names the place in it and the mend. */
public final class ScriptException extends Exception {
  private static final long serialVersionUID = 1L;

  ScriptException(String message) {
    super(message);
  }

  ScriptException(String message, Throwable cause) {
    super(message, cause);
  }
}
