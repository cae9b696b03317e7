package harness.author;

import harness.agent.Instance;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a file of rights says.
 *
 * @param groups the persons of each group
 */
record Rights(Map<String, Set<String>> groups, List<Grant> grants) implements Authority {
  private static final String AGENT = "agent:";
  private static final Pattern EPOCH = Pattern.compile("[1-9][0-9]{0,8}");

  /** What the orchestrator's token says by itself. */
  private static final Set<Permission> OF_THE_TOKEN =
      Set.of(Permission.CONVERSATION_READ, Permission.TURN_ABORT);

  Rights {
    groups = Map.copyOf(groups);
    grants = List.copyOf(grants);
  }

  @Override
  public boolean permits(Actor actor, Permission permission, Instance conversation) {
    if (actor instanceof Actor.System && OF_THE_TOKEN.contains(permission)) {
      return true;
    }
    Set<String> names = names(actor, conversation);
    return grants.stream()
        .anyMatch(
            grant -> names.contains(grant.to()) && grant.covers(conversation.id(), permission));
  }

  /** How grants may name an actor. */
  private Set<String> names(Actor actor, Instance conversation) {
    return switch (actor) {
      case Actor.User user -> ofPerson(user);
      case Actor.ExternalAgent client -> ofClient(client);
      case Actor.Agent agent ->
          agent
              .onBehalfOf()
              .map(author -> names(author, conversation))
              .orElseGet(() -> Set.of(AGENT + nameOf(agent, conversation), "kind:agent"));
      case Actor.Evaluator _ -> Set.of("kind:evaluator");
      case Actor.System _ -> Set.of("kind:system");
      case Actor.Owner _ -> Set.of();
    };
  }

  private Set<String> ofPerson(Actor.User user) {
    Set<String> names = new HashSet<>(Set.of(user.participant(), "kind:user"));
    groups.forEach(
        (group, persons) -> {
          if (persons.contains(user.id())) {
            names.add("group:" + group);
          }
        });
    return names;
  }

  /** A person's client has what the person has, unless the file names it. */
  private Set<String> ofClient(Actor.ExternalAgent client) {
    String own = client.participant();
    Optional<Actor.User> person = client.onBehalfOf();
    if (person.isEmpty()) {
      return Set.of(own, "kind:external-agent");
    }
    if (grants.stream().anyMatch(grant -> grant.to().equals(own))) {
      return Set.of(own);
    }
    Set<String> names = new HashSet<>(ofPerson(person.get()));
    names.add("kind:external-agent");
    return names;
  }

  /** The name of the Agent whose Turns an actor's id tells of. */
  private static String nameOf(Actor.Agent agent, Instance conversation) {
    if (agent.id().equals(conversation.id().value())) {
      return conversation.agent();
    }
    List<String> segments = List.of(agent.id().split("/", -1));
    String last = segments.getLast();
    boolean suffixed =
        segments.size() > 1 && (last.startsWith("f-") || EPOCH.matcher(last).matches());
    return suffixed ? segments.get(segments.size() - 2) : last;
  }
}
