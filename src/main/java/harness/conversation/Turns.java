package harness.conversation;

import harness.agent.Instance;
import harness.author.Actor;
import harness.author.Permission;
import harness.model.Usage;
import java.util.List;
import java.util.Optional;

/** What runs Turns: the loop, as a conversation sees it. */
public interface Turns {
  /** The Harness's own block behind the prompt of a Submission. */
  Optional<String> briefing(Submission submission, Asides asides);

  /**
   * What stands beside a prompt.
   *
   * @param owner whom the conversation belongs to
   * @param news what happened since the model was last told something
   */
  record Asides(Optional<Actor> owner, News news) {}

  /** Whether an actor may do something in a conversation, now. */
  default boolean permits(Actor actor, Permission permission, Instance instance) {
    return true;
  }

  /**
   * Whether its Turn may start now, as far as what it needs goes. One that may not stays in its
   * queue, without a permit, and is asked about again a moment later.
   */
  default boolean ready(Submission submission) {
    return true;
  }

  /**
   * Runs one attempt at a Turn to its end, or to where it pauses.
   *
   * @throws EndedException when the attempt was ended by someone else
   * @throws InterruptedException when its thread was interrupted, which happens to ended ones alone
   */
  Outcome run(Attempt attempt) throws EndedException, InterruptedException;

  /**
   * Ends what the calls of a conversation left running: it was aborted, burned or freed. Returns
   * when it is gone.
   */
  void release(Instance instance);

  /** How an attempt came to its own end. */
  sealed interface Outcome {}

  /** A call waits for an answer; another attempt goes on from there. */
  record Pause(Event.AwaitingAnswer on) implements Outcome {}

  /**
   * How a Turn ended, and what it used.
   *
   * @param last what is appended with the Settlement, in front of it; only of a completed Turn
   */
  record Ending(Settlement settlement, Usage usage, List<Event> last) implements Outcome {
    public Ending {
      last = List.copyOf(last);
      if (!last.isEmpty() && !(settlement instanceof Settlement.Completed)) {
        throw new IllegalArgumentException("only a completed Turn ends with events of its own");
      }
    }

    /** With the Settlement alone. */
    public Ending(Settlement settlement, Usage usage) {
      this(settlement, usage, List.of());
    }
  }
}
