package harness.wire;

import harness.agent.Instance;
import harness.api.AdmissionBody.AuthorBody;
import harness.api.AuthorLine;
import harness.author.Actor;
import harness.author.Authority;
import harness.author.Permission;
import harness.fault.RefusedException;
import java.util.List;
import java.util.Optional;

/**
 * Whether those whom requests speak for may read or end a conversation; asked before it is looked
 * for, so that the answer tells nothing of what there is.
 */
final class Permits {
  /** For whom a request without a body speaks; without it, for the orchestrator. */
  static final String HEADER = "Harness-Author";

  private final Authority authority;

  Permits(Authority authority) {
    this.authority = authority;
  }

  /** The body of an abort, which may be left out. */
  record Abort(Optional<AuthorBody> author) {}

  /**
   * A wish to read a conversation.
   *
   * @param reader whom it speaks for
   */
  record Reading(Authority authority, Actor reader, Instance instance) {
    /**
     * Asked again before each piece of an answer that lasts: a right may be taken away meanwhile.
     *
     * @throws RefusedException where the reader may not read it, or may no more
     */
    void require() {
      authority.require(reader, Permission.CONVERSATION_READ, instance);
    }
  }

  /** That of a request to read. */
  Reading reading(Call call) {
    return new Reading(authority, named(call).orElseGet(Authors::system), call.instance());
  }

  /**
   * Of a request that reads a conversation. Other routes but an abort say whom they speak for in
   * their body, or are the orchestrator's own.
   */
  void check(Call call) {
    Router.Route route = Router.Route.of(call.segments());
    boolean reads = call.method().equals("GET") || call.method().equals("HEAD");
    if (reads && (route == Router.Route.CONVERSATION || route == Router.Route.PROPOSALS)) {
      reading(call).require();
    } else if (route != Router.Route.ABORT && named(call).isPresent()) {
      throw RefusedException.invalid(
          "the header "
              + HEADER
              + " is for reading and ending conversations; here, name the author in the body, or"
              + " leave it out",
          HEADER);
    }
  }

  /** Of an abort, whose author is in its body or its header. */
  void checkAbort(Call call) {
    Optional<Actor> inHeader = named(call);
    Optional<Actor> inBody =
        call.request().content().hasEntity()
            ? call.body().as(Abort.class).author().map(author -> Authors.actor(author, "author"))
            : Optional.empty();
    if (inHeader.isPresent() && inBody.isPresent()) {
      throw RefusedException.invalid(
          "an abort names its author in the body or in the header " + HEADER + "; send one",
          "author");
    }
    Actor author = inBody.or(() -> inHeader).orElseGet(Authors::system);
    authority.require(author, Permission.TURN_ABORT, call.instance());
  }

  private static Optional<Actor> named(Call call) {
    List<String> values = call.headers(HEADER);
    if (values.size() > 1) {
      throw RefusedException.invalid(
          "the header " + HEADER + " is there " + values.size() + " times; send one", HEADER);
    }
    return values.stream()
        .findFirst()
        .map(
            text ->
                AdmissionCodec.field(
                    "the header " + HEADER, HEADER, () -> AuthorLine.ofHeader(text)))
        .map(author -> Authors.actor(author, HEADER));
  }
}
