package harness.store;

import harness.agent.Instance;
import java.time.Instant;
import java.util.List;

/**
 * What one append asks for; all of it is stored, or nothing.
 *
 * @param instance the conversation
 * @param life a random name of this life of the conversation: given when it is created (expected is
 *     0) and the same in each later append, so that an append to a conversation that was freed
 *     since is told apart
 * @param expected how many events the conversation holds before this append
 * @param at the time of the append, kept in microseconds
 * @param events their encodings, in order; at least one
 * @param claims what must be unique
 * @param faults encodings to add to the feed of faults, in order
 * @param unsettled how many of its Submissions are unsettled after this append
 */
public record Append(
    Instance instance,
    String life,
    long expected,
    Instant at,
    List<byte[]> events,
    List<Claim> claims,
    List<byte[]> faults,
    int unsettled) {
  public Append {
    events = List.copyOf(events);
    claims = List.copyOf(claims);
    faults = List.copyOf(faults);
    if (events.isEmpty() || expected < 0 || unsettled < 0) {
      throw new IllegalArgumentException("an append has events, and no count below 0");
    }
    if (claims.stream().map(Append::name).distinct().count() < claims.size()) {
      throw new IllegalArgumentException("an append makes each of its claims once");
    }
  }

  /** What two equal claims have in common, whatever else comes with them. */
  private static List<String> name(Claim claim) {
    return switch (claim) {
      case Claim.Key key -> List.of("key", key.scope(), key.key());
      case Claim.Epoch epoch ->
          List.of("epoch", epoch.address().key(), Integer.toString(epoch.epoch()));
    };
  }
}
