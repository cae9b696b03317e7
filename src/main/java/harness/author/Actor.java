package harness.author;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

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

  /**
   * A program outside, such as an MCP client.
   *
   * @param onBehalfOf who connected it with their own token; empty where it has credentials of its
   *     own
   */
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

  /**
   * Whom a Turn started by this author acts for: a person, or the client that a person connected;
   * else no one.
   */
  default Optional<Actor> actsFor() {
    return switch (this) {
      case User user -> Optional.of(user);
      case ExternalAgent client -> client.onBehalfOf().map(_ -> client);
      case Agent _, Evaluator _, System _, Owner _ -> Optional.empty();
    };
  }

  /**
   * Whether this is the other, or one of them acts for the other, or both for the same one: a
   * person and their client are the person both ways, and so is an agent in a Turn for either. An
   * agent is the same one whomever it acts for.
   */
  default boolean actsAs(Actor other) {
    Set<Actor> chain = chain();
    return other.chain().stream().anyMatch(chain::contains);
  }

  /** Itself, and all whom it acts for. */
  private Set<Actor> chain() {
    Set<Actor> chain = new HashSet<>();
    switch (this) {
      case ExternalAgent client -> {
        chain.add(client);
        client.onBehalfOf().ifPresent(chain::add);
      }
      case Agent agent -> {
        chain.add(new Agent(agent.id(), Optional.empty()));
        agent.onBehalfOf().ifPresent(author -> chain.addAll(author.chain()));
      }
      case User _, Evaluator _, System _, Owner _ -> chain.add(this);
    }
    return chain;
  }

  /** Who it is in one word, such as {@code user:alice}, whomever it acts for. */
  default String participant() {
    return switch (this) {
      case User user -> "user:" + user.id();
      case ExternalAgent client -> "external-agent:" + client.id();
      case Agent agent -> "agent:" + agent.id();
      case Evaluator evaluator -> "evaluator:" + evaluator.id();
      case System _ -> "system";
      case Owner _ -> "owner";
    };
  }
}
