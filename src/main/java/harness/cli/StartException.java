package harness.cli;

/** A Harness that could not start; the message names the thing and the mend. */
public final class StartException extends Exception {
  private static final long serialVersionUID = 1L;

  public StartException(String message) {
    super(message);
  }

  public StartException(String message, Throwable cause) {
    super(message, cause);
  }
}
