package harness.tool;

import harness.author.Actor;
import harness.workspace.git.Signature;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whom a commit names: as its author and committer the Agent that made it, and in its trailers
 * ({@code On-behalf-of}) whom it acted for: a person, or a client and the person who connected it.
 *
 * @param trailers lines {@code Name: value}
 */
record Credits(Signature author, Signature committer, List<String> trailers) {
  /** Ids are no addresses; one below this name says whose it is and can never be written to. */
  private static final String NOWHERE = ".invalid";

  private static final int MAX_NAME_CHARS = 200;

  Credits {
    trailers = List.copyOf(trailers);
  }

  static Credits of(Actor actor, Instant when) {
    Signature agent = signature(actor, when);
    List<String> trailers = new ArrayList<>();
    Optional<Actor> actsFor =
        actor instanceof Actor.Agent(_, Optional<Actor> author) ? author : Optional.empty();
    while (actsFor.isPresent()) {
      trailers.add("On-behalf-of: " + shown(signature(actsFor.get(), when)));
      actsFor =
          actsFor.get() instanceof Actor.ExternalAgent client
              ? client.onBehalfOf().map(Actor.class::cast)
              : Optional.empty();
    }
    return new Credits(agent, agent, trailers);
  }

  private static String shown(Signature signature) {
    return signature.name() + " <" + signature.email() + ">";
  }

  private static Signature signature(Actor actor, Instant when) {
    return switch (actor) {
      case Actor.User(String id) -> signature(id, "user", when);
      case Actor.ExternalAgent(String id, _) -> signature(id, "external-agent", when);
      case Actor.Agent(String id, _) -> signature(id, "agent", when);
      case Actor.Evaluator(String id) -> signature(id, "evaluator", when);
      case Actor.System() -> signature("system", "harness", when);
      case Actor.Owner() -> signature("owner", "harness", when);
    };
  }

  private static Signature signature(String id, String kind, Instant when) {
    String name = id.replaceAll("[\\p{Cntrl}\\s<>]+", " ").strip();
    name = name.substring(0, Math.min(name.length(), MAX_NAME_CHARS));
    if (name.isEmpty()) {
      name = kind;
    }
    String email =
        name.matches("[^@\\s]+@[^@\\s]+")
            ? name
            : name.replaceAll("[^A-Za-z0-9._+-]+", "-") + "@" + kind + NOWHERE;
    return new Signature(name, email, when);
  }
}
