package harness.admission;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import harness.admission.AdmissionRequest.Destination;
import harness.agent.Address;
import harness.agent.Dials;
import harness.agent.Frame;
import harness.agent.Instance;
import harness.agent.InstanceId;
import harness.author.Actor;
import harness.briefing.Notice;
import harness.conversation.Admitted;
import harness.conversation.Conversation;
import harness.conversation.Conversations;
import harness.conversation.Names;
import harness.conversation.Place;
import harness.conversation.Settlement;
import harness.conversation.Submission;
import harness.conversation.Tasks;
import harness.fault.Refusal;
import harness.fault.RefusedException;
import harness.menu.Menu;
import harness.store.Claim;
import harness.store.CorruptEventException;
import harness.store.EventStore;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.bulkhead.BulkheadFullException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The way in. The idempotency key is looked up first, then what the Turn needs is checked, then,
 * under the address's lock, the Instance ID is minted and the Submission appended: a structural
 * admission never meets a burned conversation.
 */
public final class Admissions {
  /** How many requests are checked and stored at once; more wait up to {@link #MAX_WAIT}. */
  private static final int MAX_AT_ONCE = 1024;

  /** How many epochs are looked through for whom an address belonged to. */
  private static final int MAX_EPOCHS_BACK = 8;

  private static final Duration MAX_WAIT = Duration.ofSeconds(2);

  private static final System.Logger LOG = System.getLogger(Admissions.class.getName());
  private static final ObjectMapper JSON = new ObjectMapper();

  private final EventStore store;
  private final Conversations conversations;
  private final Checks checks;
  private final RandomGenerator random;
  private final AddressLocks locks;
  private final Bulkhead bulkhead =
      Bulkhead.of(
          "admissions",
          BulkheadConfig.custom()
              .maxConcurrentCalls(MAX_AT_ONCE)
              .maxWaitDuration(MAX_WAIT)
              .build());
  private volatile boolean draining;

  public Admissions(
      EventStore store,
      Conversations conversations,
      Checks checks,
      RandomGenerator random,
      Tasks tasks) {
    this.store = store;
    this.conversations = conversations;
    this.checks = checks;
    this.random = random;
    this.locks = new AddressLocks(tasks);
  }

  /** From now on every request is refused. */
  public void drain() {
    draining = true;
  }

  /** The refusal of everything, once the process is ending. */
  public void requireOpen() {
    if (draining) {
      throw new RefusedException(
          new Refusal.Draining(
              "this Harness is ending and admits nothing; send it to the next one", MAX_WAIT));
    }
  }

  /**
   * Admits a Turn, or refuses it.
   *
   * @throws RefusedException and nothing was queued
   */
  public Admission admit(AdmissionRequest request) {
    requireOpen();
    try {
      return bulkhead.executeSupplier(() -> admitChecked(request));
    } catch (BulkheadFullException e) {
      throw new RefusedException(
          new Refusal.Full(
              "this Harness takes " + MAX_AT_ONCE + " admissions at once; send it again later",
              MAX_WAIT));
    }
  }

  private Admission admitChecked(AdmissionRequest request) {
    Optional<Claim.Key> first = first(request);
    if (first.isPresent()) {
      return replay(request, first.get());
    }
    try {
      return admitNew(request);
    } catch (RefusedException refused) {
      // Its twin, sent at the same time, may have been admitted meanwhile.
      return first(request).map(claim -> replay(request, claim)).orElseThrow(() -> refused);
    }
  }

  private Optional<Claim.Key> first(AdmissionRequest request) {
    return request.key().flatMap(key -> store.key(request.destination().scope(), key.value()));
  }

  private Admission admitNew(AdmissionRequest request) {
    Draft draft =
        new Draft(
            request,
            checks.menu(request),
            checks.frame(request),
            checks.dials(request),
            "s-" + Names.random(random));
    return switch (request.destination()) {
      case Destination.Exact exact -> exact(draft, exact.instance());
      case Destination.Structural structural when structural.continues() ->
          locks.with(structural.address(), () -> continued(draft, structural));
      case Destination.Structural structural -> {
        Address address = structural.address();
        yield exact(draft, mint(address, () -> address.fresh(Names.random(random))));
      }
    };
  }

  private static Instance mint(Address address, Supplier<InstanceId> id) {
    try {
      return new Instance(address.agent(), id.get());
    } catch (IllegalArgumentException e) {
      throw RefusedException.invalid("run, path and agent: " + e.getMessage(), "run");
    }
  }

  private Admission exact(Draft draft, Instance instance) {
    while (true) {
      int epoch = instance.id().continued() ? Address.generation(instance).epoch() : 0;
      Admitted admitted =
          offer(draft, instance, epoch, List.of(), _ -> List.of(), Optional.empty());
      if (admitted instanceof Admitted.Burned burned) {
        throw new RefusedException(burned(instance, burned.by()));
      }
      Optional<Admission> answer = answer(draft, admitted, epoch);
      if (answer.isPresent()) {
        return answer.get();
      }
    }
  }

  private Admission continued(Draft draft, Destination.Structural to) {
    int least = to.epoch();
    String why = "the one before was left by its caller";
    while (true) {
      Optional<Claim.Epoch> opened = store.epoch(to.address());
      int own = opened.map(Claim.Epoch::epoch).orElse(0);
      int epoch = Math.max(own, least);
      Instance instance = mint(to.address(), () -> to.address().at(epoch));
      List<Claim> claims =
          epoch > own ? List.of(new Claim.Epoch(to.address(), epoch, why)) : List.of();
      String reason = opened.filter(_ -> epoch == own).map(Claim.Epoch::reason).orElse(why);
      Admitted admitted;
      try {
        admitted =
            offer(
                draft,
                instance,
                epoch,
                claims,
                lived -> newNotices(to, reason, epoch, lived),
                heir(to.address(), Math.min(own, epoch - 1)));
      } catch (CorruptEventException | UncheckedIOException e) {
        LOG.log(Level.ERROR, "conversation " + instance + " is set aside, and another begins", e);
        least = Math.addExact(epoch, 1);
        why = "the one before can't be read any more and was set aside";
        continue;
      }
      Optional<Admission> answer = answer(draft, admitted, epoch);
      if (answer.isPresent()) {
        return answer.get();
      }
      if (admitted instanceof Admitted.Burned) {
        least = Math.addExact(epoch, 1);
        why = "the one before was burned by a fault";
      }
    }
  }

  /** Whom the address belonged to in its last epoch that is held and can be read. */
  private Optional<Actor> heir(Address address, int last) {
    for (int epoch = last; epoch >= Math.max(0, last - MAX_EPOCHS_BACK); epoch--) {
      Instance before = new Instance(address.agent(), address.at(epoch));
      try {
        Optional<Actor> owner = conversations.owner(before);
        if (owner.isPresent()) {
          return owner;
        }
      } catch (CorruptEventException | UncheckedIOException e) {
        LOG.log(Level.WARNING, "whom {0} belonged to can''t be read: {1}", before, e.getMessage());
      }
    }
    return Optional.empty();
  }

  private static List<Notice> newNotices(
      Destination.Structural to, String reason, int epoch, boolean lived) {
    if (epoch > 0 && !lived) {
      return List.of(Notice.conversationNew(reason));
    }
    return to.expectHeld()
        ? List.of(Notice.conversationNew("this Harness does not hold the earlier one"))
        : List.of();
  }

  private Admitted offer(
      Draft draft,
      Instance instance,
      int epoch,
      List<Claim> claims,
      Function<Boolean, List<Notice>> ifNew,
      Optional<Actor> heir) {
    Conversation conversation = conversations.open(instance);
    return conversation.admit(
        standing ->
            checks.permitted(
                draft.submission(
                    standing.owner(), standing.isNew() ? ifNew.apply(standing.lived()) : List.of()),
                instance),
        place -> {
          List<Claim> all = new ArrayList<>(claims);
          draft.key(place, epoch).ifPresent(all::add);
          return all;
        },
        heir);
  }

  /** Empty where the admission must look again. */
  private Optional<Admission> answer(Draft draft, Admitted admitted, int epoch) {
    return switch (admitted) {
      case Admitted.Queued queued -> Optional.of(draft.admission(queued.place(), epoch));
      case Admitted.KeyTaken taken -> Optional.of(replay(draft.request(), taken.first()));
      case Admitted.Burned _, Admitted.EpochTaken _, Admitted.Asleep _ -> Optional.empty();
    };
  }

  private static Refusal burned(Instance instance, Settlement.Failed by) {
    Optional<String> next =
        by.bump()
            .flatMap(bump -> Address.generation(instance).address().find(bump.to()))
            .map(InstanceId::value);
    return new Refusal.Burned(
        "conversation "
            + instance.id()
            + " was burned by a fault and is never continued; "
            + next.map(id -> "go on at " + id).orElse("start a fresh one"),
        by.fault(),
        by.bump().map(bump -> new Refusal.Burned.Epoch(bump.from(), bump.to())),
        next);
  }

  private static Admission replay(AdmissionRequest request, Claim.Key first) {
    byte[] digest = request.key().orElseThrow().digest();
    if (!MessageDigest.isEqual(digest, first.digest())) {
      throw new RefusedException(
          new Refusal.KeyReused(
              "the Idempotency-Key '"
                  + first.key()
                  + "' came with another body before; give each request a key of its own"));
    }
    try {
      return JSON.readValue(first.answer(), Admission.class).again();
    } catch (IOException e) {
      throw new UncheckedIOException("the stored answer of a key can't be read", e);
    }
  }

  /** A checked request on its way to a conversation. */
  private record Draft(
      AdmissionRequest request, Menu menu, Frame frame, Dials dials, String submissionId) {
    Submission submission(Optional<Actor> owner, List<Notice> more) {
      List<Notice> notices = new ArrayList<>(request.notices());
      notices.addAll(more);
      return new Submission(
          submissionId,
          author(owner),
          request.definition(),
          frame,
          dials,
          notices,
          Optional.of(menu).filter(Menu::hasTools),
          request.delivery(),
          request.destination() instanceof Destination.Structural);
    }

    private Actor author(Optional<Actor> owner) {
      if (!(request.author() instanceof Actor.Owner)) {
        return request.author();
      }
      return owner.orElseThrow(
          () ->
              new RefusedException(
                  new Refusal.Forbidden(
                      "the conversation has no owner to act for; give an author of its own")));
    }

    Admission admission(Place place, int epoch) {
      return new Admission(
          place.instance().id().value(),
          epoch,
          place.isNew(),
          submissionId,
          place.offset().toString(),
          place.ahead(),
          false);
    }

    Optional<Claim> key(Place place, int epoch) {
      return request
          .key()
          .map(
              key ->
                  new Claim.Key(
                      request.destination().scope(),
                      key.value(),
                      key.digest(),
                      encode(admission(place, epoch))));
    }

    private static byte[] encode(Admission admission) {
      try {
        return JSON.writeValueAsBytes(admission);
      } catch (JsonProcessingException e) {
        throw new IllegalStateException("an answer could not be encoded", e);
      }
    }
  }
}
