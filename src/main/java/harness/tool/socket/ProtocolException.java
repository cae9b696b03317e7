package harness.tool.socket;

/** The other side sent what it may not send; the connection ends. */
final class ProtocolException extends Exception {
  private static final long serialVersionUID = 1L;

  ProtocolException(String message) {
    super(message);
  }
}
