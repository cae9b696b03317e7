package harness.store;

/**
 * How an append ended. Claims are looked at before the sequence, in the order given, so that an
 * admission sent twice learns of its first answer.
 */
public sealed interface Appended {
  /** On stable storage. */
  record Stored() implements Appended {}

  /** The idempotency key was claimed before; nothing was stored. */
  record KeyTaken(Claim.Key first) implements Appended {}

  /**
   * The epoch or a later one was claimed before; nothing was stored.
   *
   * @param largest the address's epoch
   */
  record EpochTaken(Claim.Epoch largest) implements Appended {}

  /**
   * The conversation holds another number of events, or has another life; nothing was stored.
   *
   * @param actual how many events it holds; 0 where it is not held
   */
  record OutOfSequence(long actual) implements Appended {}
}
