package harness.simulation;

import harness.admission.AdmissionRequest;
import harness.admission.AdmissionRequest.Destination;
import harness.admission.AdmissionRequest.IdempotencyKey;
import harness.agent.Access;
import harness.agent.Address;
import harness.agent.Definition;
import harness.agent.Instance;
import harness.agent.InstanceId;
import harness.agent.ModelName;
import harness.author.Actor;
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

  private static final List<Actor> AUTHORS =
      List.of(
          new Actor.System(),
          new Actor.User("alice"),
          new Actor.User("bob"),
          new Actor.ExternalAgent("client", Optional.of(new Actor.User("alice"))),
          new Actor.Evaluator("judge"),
          new Actor.Owner());

  private final Chance chance;
  private final Witness witness;
  private final List<AdmissionRequest> keyed = new ArrayList<>();
  private int made;

  Requests(Chance chance, Witness witness) {
    this.chance = chance;
    this.witness = witness;
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

  private AdmissionRequest request(Destination destination, Optional<IdempotencyKey> key) {
    String model = chance.oneIn(25) ? "lab/unknown" : "lab/one";
    return new AdmissionRequest(
        destination,
        new Definition(
            ModelName.parse(model),
            "You code.",
            chance.of(List.of(Access.WRITE, Access.WRITE, Access.READ)),
            Optional.empty()),
        "prompt " + made++,
        Optional.of("/work/target"),
        Optional.empty(),
        Optional.empty(),
        chance.of(AUTHORS),
        List.of(),
        key);
  }
}
