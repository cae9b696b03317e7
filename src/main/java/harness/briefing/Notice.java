package harness.briefing;

import java.util.Optional;

/**
 * A fact delivered once, with the next Turn in its scope.
 *
 * @param kind {@code memory-limit} or {@code conversation-new}
 * @param scope {@code workspace} or {@code conversation}
 * @param agent which Agent it concerns
 * @param peak how much memory was used, as the caller writes it
 * @param limit how much there is, as the caller writes it
 * @param reason why, in a sentence
 */
public record Notice(
    String kind,
    String scope,
    Optional<String> agent,
    Optional<String> peak,
    Optional<String> limit,
    Optional<String> reason) {

  /** The conversation that the caller continues is a new one. */
  public static Notice conversationNew(String reason) {
    return new Notice(
        "conversation-new",
        "conversation",
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(reason));
  }

  /** The sentence that the model reads. */
  String sentence() {
    return switch (kind) {
      case "conversation-new" ->
          "This conversation is new: "
              + reason.orElse("the earlier one is not held")
              + ". What was said before is not in it.";
      case "memory-limit" ->
          "Memory ran out in this workspace"
              + agent.map(name -> " while " + name + " worked").orElse("")
              + " (peak "
              + peak.orElse("unknown")
              + " of "
              + limit.orElse("unknown")
              + "). Use fewer workers.";
      default -> throw new IllegalStateException("no notice of kind " + kind);
    };
  }
}
