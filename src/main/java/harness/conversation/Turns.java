package harness.conversation;

import harness.agent.Instance;
import java.util.Optional;

/** What runs Turns: the loop, as a conversation sees it. */
public interface Turns {
  /** The Harness's own block behind the prompt of a Submission. */
  Optional<String> briefing(Submission submission);

  /**
   * Runs one attempt at a Turn to its end.
   *
   * @throws EndedException when the attempt was ended by someone else
   * @throws InterruptedException when its thread was interrupted, which happens to ended ones alone
   */
  Ending run(Attempt attempt) throws EndedException, InterruptedException;

  /**
   * Ends what the calls of a conversation left running: it was aborted, burned or freed. Returns
   * when it is gone.
   */
  void release(Instance instance);

  /** How a Turn ended, and what it used. */
  record Ending(Settlement settlement, harness.model.Usage usage) {}
}
