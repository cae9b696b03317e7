package harness.author;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.Optional;

/** Who acts: whoever wrote a Submission, or the agent that ran for them. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Actor.User.class, name = "user"),
  @JsonSubTypes.Type(value = Actor.ExternalAgent.class, name = "external-agent"),
  @JsonSubTypes.Type(value = Actor.Agent.class, name = "agent"),
  @JsonSubTypes.Type(value = Actor.Evaluator.class, name = "evaluator"),
  @JsonSubTypes.Type(value = Actor.System.class, name = "system"),
  @JsonSubTypes.Type(value = Actor.Owner.class, name = "owner")
})
public sealed interface Actor {
  /** A person. */
  record User(String id) implements Actor {}

  /** A program outside, such as an MCP client; for a person when they connected it themselves. */
  record ExternalAgent(
      String id, @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<User> onBehalfOf)
      implements Actor {}

  /** An Agent of this or another Harness, and the author its Turn acts for. */
  record Agent(String id, Optional<Actor> onBehalfOf) implements Actor {
    public Agent {
      if (onBehalfOf.isPresent()
          && !(onBehalfOf.get() instanceof User || onBehalfOf.get() instanceof ExternalAgent)) {
        throw new IllegalArgumentException(
            "an agent acts on behalf of a user or an external agent, or of no one");
      }
    }
  }

  /** A judge of other agents' work. */
  record Evaluator(String id) implements Actor {}

  /** The orchestrator, or the Harness itself. */
  record System() implements Actor {}

  /** A wake-up without an author of its own, which asks by name to act for the resting owner. */
  record Owner() implements Actor {}

  /** Whom a Turn started by this author acts for: a person, or a person's client; else no one. */
  default Optional<Actor> actsFor() {
    return switch (this) {
      case User user -> Optional.of(user);
      case ExternalAgent client -> Optional.of(client);
      case Agent _, Evaluator _, System _, Owner _ -> Optional.empty();
    };
  }
}
