package harness.client;

import java.util.Optional;

/**
 * What a state of a Machine says of a Turn, and nothing of the mechanism.
 *
 * @param cwd where it works, absolute; empty means the worktree of the only slot
 * @param continues whether it lands on the Agent's one conversation in its Machine instance
 * @param model over the definition's
 * @param thinkingLevel over the definition's
 */
public record TurnInput(
    String prompt,
    Optional<String> cwd,
    boolean continues,
    Optional<String> model,
    Optional<String> thinkingLevel) {

  /** A Turn in a fresh conversation. */
  public static TurnInput fresh(String prompt) {
    return new TurnInput(prompt, Optional.empty(), false, Optional.empty(), Optional.empty());
  }

  /** A Turn in the Agent's one conversation. */
  public static TurnInput continued(String prompt) {
    return new TurnInput(prompt, Optional.empty(), true, Optional.empty(), Optional.empty());
  }

  /** The same in this working directory. */
  public TurnInput in(String directory) {
    return new TurnInput(prompt, Optional.of(directory), continues, model, thinkingLevel);
  }
}
