package harness.conversation;

import harness.agent.Address;
import harness.agent.Instance;
import harness.fault.Fault;
import harness.store.Claim;
import java.util.Optional;

/**
 * A continued address leaves a conversation that a fault burned.
 *
 * @param left the generation that was burned
 * @param to the epoch of the generation that follows
 * @param claim the claim that opens it; empty where somebody has opened it already
 */
record Burn(Address.Generation left, int to, Optional<Claim> claim) {

  /** Empty where the fault burns nothing, and for a fresh conversation, which has no next one. */
  static Optional<Burn> of(Instance instance, Fault fault) {
    if (!fault.faultClass().burns() || !instance.id().continued()) {
      return Optional.empty();
    }
    Address.Generation left = Address.generation(instance);
    Claim claim =
        new Claim.Epoch(
            left.address(),
            left.next().epoch(),
            "the one before ended with the fault " + fault.faultClass().wireName());
    return Optional.of(new Burn(left, left.next().epoch(), Optional.of(claim)));
  }

  /** The same where the address is at a later epoch already. */
  Burn to(int epoch) {
    return new Burn(left, epoch, Optional.empty());
  }

  Settlement.Bump bump() {
    return new Settlement.Bump(left.epoch(), to);
  }
}
