package harness.model;

/** One model of one provider. */
public interface Model {
  /**
   * Asks for the next reply; blocks until it is whole, telling {@code sink} as it streams in.
   *
   * @throws ModelException when it failed for good, within the provider's time limits
   * @throws InterruptedException when the thread was interrupted: the Turn was ended
   */
  Reply respond(Request request, Sink sink) throws ModelException, InterruptedException;

  /** Whether it takes calls now: its provider is not in trouble, as far as that is known. */
  default boolean ready() {
    return true;
  }

  /** Whether it can look at the pictures of a request. */
  default boolean takesImages() {
    return true;
  }

  /** How much it can read and say, as far as that is known. */
  default TokenLimits limits() {
    return TokenLimits.UNKNOWN;
  }
}
