package harness.author;

/** What authors are compared by. */
public sealed interface Principal {
  /** One person. */
  record Person(String id) implements Principal {}

  /** One client outside; a person's client is another principal than the person. */
  record Client(String id, String person) implements Principal {}

  /** All that act for no one, together. */
  record NoOne() implements Principal {}

  /** The principal of an author. */
  static Principal of(Actor actor) {
    return switch (actor) {
      case Actor.User user -> new Person(user.id());
      case Actor.ExternalAgent client ->
          new Client(client.id(), client.onBehalfOf().map(Actor.User::id).orElse(""));
      case Actor.Agent _, Actor.Evaluator _, Actor.System _, Actor.Owner _ -> new NoOne();
    };
  }
}
