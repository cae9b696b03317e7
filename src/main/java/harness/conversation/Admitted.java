package harness.conversation;

import harness.store.Claim;

/** How an admission to a conversation ended. */
public sealed interface Admitted {
  /** On stable storage. */
  record Queued(Place place) implements Admitted {}

  /** The idempotency key was there already; nothing was queued. */
  record KeyTaken(Claim.Key first) implements Admitted {}

  /** The epoch was opened meanwhile by another admission; look again. */
  record EpochTaken() implements Admitted {}

  /** A fault burned the conversation. */
  record Burned(Settlement.Failed by) implements Admitted {}

  /** The conversation went to sleep or was freed meanwhile; look again. */
  record Asleep() implements Admitted {}
}
