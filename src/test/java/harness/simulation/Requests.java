package harness.simulation;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import harness.admission.AdmissionRequest;
import harness.admission.AdmissionRequest.Destination;
import harness.admission.AdmissionRequest.IdempotencyKey;
import harness.admission.Answers;
import harness.agent.Access;
import harness.agent.Address;
import harness.agent.Definition;
import harness.agent.Instance;
import harness.agent.InstanceId;
import harness.agent.ModelName;
import harness.author.Actor;
import harness.author.Decision;
import harness.conversation.Delivery;
import harness.conversation.Event;
import harness.menu.Menu;
import harness.menu.MenuTool;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes requests as the seed wants them. */
final class Requests {
  private static final List<Address> ADDRESSES =
      List.of(
          Address.of("run-1", "task", "coder"),
          Address.of("run-1", "task", "reviewer"),
          Address.of("run-2", "", "coder"));

  static final List<Actor> AUTHORS =
      List.of(
          new Actor.System(),
          new Actor.User("alice"),
          new Actor.User("bob"),
          new Actor.ExternalAgent("client", Optional.of(new Actor.User("alice"))),
          new Actor.Evaluator("judge"),
          new Actor.Owner());

  /** What {@code finish} takes is of the kind that {@link LabModel} calls everything with. */
  private static final Menu MENU =
      Menu.of(
          List.of(
              MenuTool.of("finish", "The work is done.", schema("path")),
              MenuTool.of("dispute", "The work is wrong.", schema("reason"))));

  private final Chance chance;
  private final Witness witness;
  private final List<AdmissionRequest> keyed = new ArrayList<>();
  private Kind kind;
  private int made;

  Requests(Chance chance, Witness witness) {
    this.chance = chance;
    this.witness = witness;
    this.kind = kind();
  }

  private static ObjectNode schema(String required) {
    ObjectNode schema = JsonNodeFactory.instance.objectNode().put("type", "object");
    schema.putObject("properties").putObject(required).put("type", "string");
    schema.putArray("required").add(required);
    return schema;
  }

  /** A new request, or one with a key that was sent before. */
  AdmissionRequest next() {
    if (!keyed.isEmpty() && chance.oneIn(4)) {
      AdmissionRequest earlier = chance.of(keyed);
      return chance.oneIn(6) ? request(earlier.destination(), again(earlier)) : earlier;
    }
    Optional<IdempotencyKey> key =
        chance.oneIn(2) ? Optional.of(key("key-" + made, made)) : Optional.empty();
    AdmissionRequest request = request(destination(), key);
    if (key.isPresent()) {
      keyed.add(request);
    }
    return request;
  }

  /** The key of an earlier request, for another body. */
  private Optional<IdempotencyKey> again(AdmissionRequest earlier) {
    return earlier.key().map(key -> key(key.value(), made));
  }

  private static IdempotencyKey key(String value, int body) {
    return new IdempotencyKey(value, new byte[] {(byte) (body >> 8), (byte) body});
  }

  /** Any conversation that there was, or one that nobody heard of. */
  Instance instance() {
    List<Instance> known = witness.known();
    return known.isEmpty() || chance.oneIn(10)
        ? new Instance("coder", InstanceId.parse("own/" + chance.below(3)))
        : chance.of(known);
  }

  /** One that something runs or waits for, if there is one. */
  Instance busyInstance() {
    List<Fate> unsettled = witness.unsettled();
    return unsettled.isEmpty() ? instance() : chance.of(unsettled).past.instance;
  }

  private Destination destination() {
    if (chance.oneIn(3)) {
      return new Destination.Exact(chance.oneIn(2) ? busyInstance() : instance());
    }
    int epoch = chance.oneIn(12) ? chance.below(4) : 0;
    return new Destination.Structural(
        chance.of(ADDRESSES), !chance.oneIn(5), epoch, chance.oneIn(5));
  }

  /** Often it suits the one before, so that it may ride with it. */
  private AdmissionRequest request(Destination destination, Optional<IdempotencyKey> key) {
    if (chance.oneIn(3)) {
      kind = kind();
    }
    return new AdmissionRequest(
        destination,
        kind.definition(),
        "prompt " + made++,
        Optional.of("/work/target"),
        Optional.empty(),
        Optional.empty(),
        kind.author(),
        List.of(),
        kind.menu(),
        chance.oneIn(3) ? Delivery.QUEUE : Delivery.JOIN,
        key);
  }

  /** What has to be alike so that one rides with another. */
  private record Kind(Definition definition, Actor author, Menu menu) {}

  private Kind kind() {
    String model = chance.oneIn(25) ? "lab/unknown" : "lab/one";
    return new Kind(
        new Definition(
            ModelName.parse(model),
            "You code.",
            chance.of(List.of(Access.WRITE, Access.WRITE, Access.READ)),
            Optional.empty(),
            Definition.Writes.DIRECT,
            chance.oneIn(2) ? List.of("write", "list", "read") : List.of()),
        chance.of(AUTHORS),
        menu());
  }

  /** An answer to what a conversation waits for, or to nothing. */
  Answers.Answer answer(Instance instance) {
    String call =
        witness
            .held(instance)
            .flatMap(Past::awaiting)
            .map(Event.AwaitingAnswer::callId)
            .orElse("c-0-0");
    return new Answers.Answer(
        call,
        chance.of(List.of(Decision.ACCEPT, Decision.ACCEPT, Decision.REJECT)),
        chance.oneIn(2) ? Optional.of("a note") : Optional.empty(),
        chance.of(AUTHORS));
  }

  private Menu menu() {
    return switch (chance.below(6)) {
      case 0 -> MENU;
      case 1 -> MENU.allowing(List.of("finish"));
      case 2 -> MENU.allowing(List.of());
      default -> Menu.NONE;
    };
  }
}
