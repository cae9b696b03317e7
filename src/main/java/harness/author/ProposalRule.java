package harness.author;

import java.util.Optional;

/**
 * Nobody resolves what they proposed themselves, or what was proposed for them; but a person may
 * accept what a Turn for them proposed, which is how an Agent that suggests is worked with.
 */
public final class ProposalRule {
  private ProposalRule() {}

  /**
   * Why a decision is not the responder's to make; empty where it is, as far as this rule goes.
   *
   * @param proposer who made the proposal: an agent with whom its Turn acted for
   */
  public static Optional<String> refusal(Actor responder, Actor proposer, Decision decision) {
    if (!responder.actsAs(proposer)) {
      return Optional.empty();
    }
    if (!(responder instanceof Actor.User) || !(proposer instanceof Actor.Agent)) {
      return Optional.of(
          responder.participant()
              + " can't resolve what "
              + proposer.participant()
              + " proposed: it is their own, or was proposed for the same person; let another person"
              + " resolve it");
    }
    return switch (decision) {
      case ACCEPT -> Optional.empty();
      case REJECT ->
          Optional.of(
              responder.participant()
                  + " may accept what "
                  + proposer.participant()
                  + " proposed for them, and not reject it; let another person reject it");
    };
  }
}
