package harness.fault;

import java.time.Duration;
import java.util.Optional;

/** A request that was not accepted, and why: nothing was queued, changed or created by it. */
public sealed interface Refusal {
  /** A sentence that names the thing and the mend. */
  String message();

  /** The request can't mean anything that could run. {@code field} names the part, or is empty. */
  record Invalid(String message, String field) implements Refusal {}

  /** The caller showed no token that is accepted. */
  record Unauthorized(String message) implements Refusal {}

  /** No route has this path. */
  record NoRoute(String message) implements Refusal {}

  /** The route does not take this method; {@code allowed} names those that it takes. */
  record NoMethod(String message, String allowed) implements Refusal {}

  /** The body is over its bound. */
  record TooLarge(String message) implements Refusal {}

  /** The author may not do this. */
  record Forbidden(String message) implements Refusal {}

  /** There is no such conversation, or no longer. */
  record NotHeld(String message) implements Refusal {}

  /**
   * The conversation was burned by a fault.
   *
   * @param epoch the epochs that its address went from and to; empty for a fresh conversation
   * @param next the Instance ID that follows it; empty for a fresh conversation
   */
  record Burned(String message, Fault fault, Optional<Epoch> epoch, Optional<String> next)
      implements Refusal {
    /** A bump. */
    public record Epoch(int from, int to) {}
  }

  /** The idempotency key was used before for another body. */
  record KeyReused(String message) implements Refusal {}

  /** Nothing waits for this answer, or what it would change is not as it was. */
  record NotAwaited(String message) implements Refusal {}

  /** A queue is full. */
  record Full(String message, Duration retryAfter) implements Refusal {}

  /** The process is ending and takes no new work. */
  record Draining(String message, Duration retryAfter) implements Refusal {}

  /** The tool host can't be reached, so that nothing can be said of what lies behind it. */
  record NoToolHost(String message, Duration retryAfter) implements Refusal {}

  /** The store can't write; what was admitted before stays. */
  record StoreUnable(String message) implements Refusal {}
}
