package harness.author;

/** What authors are compared by, where one Turn acts for one of them. */
public sealed interface Principal {
  /** One person. */
  record Person(String id) implements Principal {}

  /** One client that a person connected; another principal than the person. */
  record Client(String id, String person) implements Principal {}

  /** All that act for no one, together. */
  record NoOne() implements Principal {}

  /** The principal of an author. */
  static Principal of(Actor actor) {
    return switch (actor) {
      case Actor.User user -> new Person(user.id());
      case Actor.ExternalAgent client ->
          client
              .onBehalfOf()
              .<Principal>map(person -> new Client(client.id(), person.id()))
              .orElseGet(NoOne::new);
      case Actor.Agent _, Actor.Evaluator _, Actor.System _, Actor.Owner _ -> new NoOne();
    };
  }

  /** Whether one Turn may take what both wrote. */
  static boolean same(Actor one, Actor other) {
    return of(one).equals(of(other));
  }
}
