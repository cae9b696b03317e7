package harness.tool;

/**
 * A call that could not be done; the message names the thing and the mend, for the model to read.
 */
final class ToolException extends Exception {
  private static final long serialVersionUID = 1L;

  ToolException(String message) {
    super(message);
  }
}
