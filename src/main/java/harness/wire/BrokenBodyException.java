package harness.wire;

/** A body that its sender did not send whole, or not as HTTP frames one. */
final class BrokenBodyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BrokenBodyException(Throwable cause) {
    super("the body did not come whole (" + cause.getMessage() + "); send it again", cause);
  }
}
