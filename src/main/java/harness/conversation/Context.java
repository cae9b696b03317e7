package harness.conversation;

import harness.model.Message;
import harness.model.Usage;
import java.util.List;
import java.util.Optional;

/**
 * What a model is asked with, and what is known of its length.
 *
 * @param opening which of the messages is the prompt that is being answered
 * @param summarised whether the first one is a summary of what came before
 * @param measured the newest length that was recorded
 */
public record Context(
    List<Message> messages, int opening, boolean summarised, Optional<Measured> measured) {
  public Context {
    messages = List.copyOf(messages);
  }

  /**
   * How long the context was at some time.
   *
   * @param tokens system text and tools included
   * @param messages how many messages it had then
   */
  public record Measured(long tokens, int messages) {
    /**
     * What a reply says of the context that it ends; empty where its provider did not count.
     *
     * @param messages how many there are with the reply
     */
    public static Optional<Measured> of(Usage usage, int messages) {
      return usage.inputTokens() == 0
          ? Optional.empty()
          : Optional.of(new Measured(usage.inputTokens() + usage.outputTokens(), messages));
    }
  }
}
