package harness.model;

/** A call to a model that failed for good: retries, where they could help, are behind it. */
public final class ModelException extends Exception {
  private static final long serialVersionUID = 1L;

  /** What went wrong. */
  public enum Kind {
    BAD_REQUEST,
    AUTH,
    RATE,
    OVERLOAD,
    CONTEXT_LENGTH,
    CONTENT_REFUSED,
    SERVER,
    NETWORK,
    STALLED,
    CUT_OFF
  }

  private final Kind kind;

  /**
   * @param message names the provider, what it said and the mend; never a key
   */
  public ModelException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  public ModelException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
