package harness.wire;

import harness.api.AdmissionBody.AuthorBody;
import harness.author.Actor;
import harness.fault.RefusedException;
import java.util.Optional;

/** Authors as the wire writes them. */
final class Authors {
  /** The longest id; an Instance ID is one of an agent. */
  private static final int MAX_ID_CHARS = 1024;

  private Authors() {}

  static Actor system() {
    return new Actor.System();
  }

  /**
   * @param field where the author stands in the body
   * @throws RefusedException with the part that is wrong
   */
  static Actor actor(AuthorBody body, String field) {
    String kind = AdmissionCodec.required(body.kind(), field + ".kind");
    Actor actor =
        switch (kind) {
          case "user" -> new Actor.User(id(body, field));
          case "external-agent" -> new Actor.ExternalAgent(id(body, field), person(body, field));
          case "agent" -> new Actor.Agent(id(body, field), principal(body, field));
          case "evaluator" -> new Actor.Evaluator(id(body, field));
          case "system" -> new Actor.System();
          case "owner" -> new Actor.Owner();
          default ->
              throw RefusedException.invalid(
                  "field '"
                      + field
                      + ".kind' is '"
                      + kind
                      + "'; it is one of user, external-agent, agent, evaluator, system, owner",
                  field + ".kind");
        };
    boolean takesPrincipal = actor instanceof Actor.ExternalAgent || actor instanceof Actor.Agent;
    if (body.onBehalfOf().isPresent() && !takesPrincipal) {
      throw RefusedException.invalid(
          "an author of kind " + kind + " acts on behalf of no one else; leave onBehalfOf out",
          field + ".onBehalfOf");
    }
    boolean takesId = !(actor instanceof Actor.System || actor instanceof Actor.Owner);
    if (body.id().isPresent() && !takesId) {
      throw RefusedException.invalid(
          "an author of kind " + kind + " has no id; leave it out", field + ".id");
    }
    return actor;
  }

  private static String id(AuthorBody body, String field) {
    String id = AdmissionCodec.required(body.id(), field + ".id");
    if (id.isBlank()) {
      throw RefusedException.invalid("field '" + field + ".id' is blank", field + ".id");
    }
    if (id.length() > MAX_ID_CHARS || id.chars().anyMatch(Character::isISOControl)) {
      throw RefusedException.invalid(
          "field '"
              + field
              + ".id' must be 1 to "
              + MAX_ID_CHARS
              + " characters, none of them a control character",
          field + ".id");
    }
    return id;
  }

  private static Optional<Actor.User> person(AuthorBody body, String field) {
    return body.onBehalfOf()
        .map(of -> actor(of, field + ".onBehalfOf"))
        .map(
            actor -> {
              if (actor instanceof Actor.User user) {
                return user;
              }
              throw RefusedException.invalid(
                  "an external agent acts on behalf of a user", field + ".onBehalfOf");
            });
  }

  private static Optional<Actor> principal(AuthorBody body, String field) {
    return body.onBehalfOf()
        .map(of -> actor(of, field + ".onBehalfOf"))
        .map(
            actor -> {
              if (actor instanceof Actor.User || actor instanceof Actor.ExternalAgent) {
                return actor;
              }
              throw RefusedException.invalid(
                  "an agent acts on behalf of a user or an external agent", field + ".onBehalfOf");
            });
  }
}
