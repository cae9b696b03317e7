package harness.author;

import harness.agent.Instance;
import harness.fault.Refusal;
import harness.fault.RefusedException;

/** Who may do what. */
@FunctionalInterface
public interface Authority {
  /** Whether an actor may do that in a conversation, whether or not there is such a one. */
  boolean permits(Actor actor, Permission permission, Instance conversation);

  /** Where the orchestrator's word suffices: all may do all. */
  static Authority all() {
    return (_, _, _) -> true;
  }

  /**
   * @throws RefusedException as {@link Refusal.Forbidden}, where the actor may not
   */
  default void require(Actor actor, Permission permission, Instance conversation) {
    if (!permits(actor, permission, conversation)) {
      throw new RefusedException(
          new Refusal.Forbidden(
              named(actor)
                  + " has no '"
                  + permission.wire()
                  + "' for "
                  + conversation.id()
                  + "; it takes a grant in the file of rights"));
    }
  }

  /** Whose right it is: that of whom an agent acts for. */
  private static String named(Actor actor) {
    return actor instanceof Actor.Agent agent
        ? agent
            .onBehalfOf()
            .map(Actor::participant)
            .orElseGet(() -> agent.participant() + ", which acts for no one,")
        : actor.participant();
  }
}
