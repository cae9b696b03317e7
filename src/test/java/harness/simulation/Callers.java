package harness.simulation;

import harness.admission.Admission;
import harness.admission.AdmissionRequest;
import harness.admission.AdmissionRequest.Destination;
import harness.admission.Answers;
import harness.agent.Instance;
import harness.agent.InstanceId;
import harness.author.Actor;
import harness.conversation.Offset;
import harness.conversation.Settlement;
import harness.fault.Refusal;
import harness.fault.RefusedException;
import harness.store.CorruptEventException;
import harness.store.StoreUnableException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What callers do, and what they may be told. */
final class Callers {
  private final Scheduler scheduler;
  private final Law law;
  private final Witness witness;
  private final Seats seats;
  private final Disk disk;
  private final LabAuthority authority;
  private final Trace trace;
  private final Figures figures;
  private final Map<Instance, Integer> aborts = new HashMap<>();

  Callers(
      Scheduler scheduler,
      Law law,
      Witness witness,
      Seats seats,
      Disk disk,
      LabAuthority authority,
      Trace trace,
      Figures figures) {
    this.scheduler = scheduler;
    this.law = law;
    this.witness = witness;
    this.seats = seats;
    this.disk = disk;
    this.authority = authority;
    this.trace = trace;
    this.figures = figures;
  }

  private void tell(String what) {
    trace.add(scheduler.nanos(), scheduler.me(), what);
  }

  /** Sends a request for a Turn. */
  void admit(SimulatedProcess process, AdmissionRequest request) {
    String shown =
        request.prompt()
            + " to "
            + request.destination()
            + " key "
            + request.key().map(AdmissionRequest.IdempotencyKey::value);
    tell("sends " + shown);
    boolean known =
        first(request).filter(fate -> fate.acknowledged && isOf(fate, request)).isPresent();
    int epoch =
        request.destination() instanceof Destination.Structural to
            ? witness.epoch(to.address())
            : 0;
    try {
      Admission answer = process.admissions().admit(request);
      tell(
          "is told that "
              + shown
              + " is "
              + answer.submissionId()
              + (answer.replayed() ? " again" : ""));
      admitted(request, answer, epoch);
    } catch (RefusedException e) {
      tell("is refused: " + e.refusal().message());
      refused(request, e.refusal(), known);
    } catch (StoreUnableException _) {
      tell("is told of the disk: " + shown);
      requireNotAdmitted(request);
    } catch (CorruptEventException e) {
      law.holds(
          request.destination() instanceof Destination.Exact to && disk.wasCorrupt(to.instance()),
          () -> "not corrupt: " + Trace.shown(e));
    }
  }

  private Optional<Fate> first(AdmissionRequest request) {
    return request.key().flatMap(key -> witness.byKey(request.destination().scope(), key.value()));
  }

  private static boolean isOf(Fate fate, AdmissionRequest request) {
    return fate.prompt().equals(request.prompt());
  }

  private void admitted(AdmissionRequest request, Admission answer, int epoch) {
    Fate fate =
        law.there(
            witness.fate(answer.submissionId()), () -> "lost: " + answer + " is not on the disk");
    law.holds(isOf(fate, request), () -> request.prompt() + " is answered with " + fate);
    fate.acknowledged = true;
    figures.admitted(answer.replayed());
    Offset offset = Offset.parse(answer.offset());
    law.holds(
        offset.life().equals(fate.past.life)
            && offset.sequence() == fate.sequence
            && answer.isNew() == (fate.sequence == 0)
            && answer.ahead() == fate.ahead
            && answer.instanceId().equals(fate.past.instance.id().value()),
        () -> answer + " is said of " + fate + " at " + fate.sequence);
    request
        .key()
        .ifPresent(
            _ -> law.holds(first(request).orElse(null) == fate, () -> "another first: " + answer));
    Instance instance = fate.past.instance;
    switch (request.destination()) {
      case Destination.Exact to ->
          law.holds(to.instance().equals(instance), () -> "to another place: " + answer);
      case Destination.Structural to when to.continues() -> {
        InstanceId id = to.address().at(answer.epoch());
        law.holds(instance.id().equals(id), () -> "to another place: " + answer);
        law.holds(
            answer.replayed() || answer.epoch() >= Math.max(epoch, to.epoch()),
            () -> answer + " is behind epoch " + epoch);
        requireNotice(fate, to);
      }
      case Destination.Structural _ ->
          law.holds(!instance.id().continued(), () -> "not fresh: " + answer);
    }
    requireAuthor(request, fate);
  }

  private void requireNotice(Fate fate, Destination.Structural to) {
    boolean isNew = fate.sequence == 0;
    boolean says = !fate.submission.notices().isEmpty();
    boolean opensEpoch =
        !fate.past.instance.id().equals(to.address().base()) && !witness.livedBefore(fate.past);
    boolean must = opensEpoch || to.expectHeld();
    law.holds(says == (isNew && must), () -> "the notices of " + fate);
  }

  private void requireAuthor(AdmissionRequest request, Fate fate) {
    Actor author = fate.submission.author();
    law.holds(
        request.author() instanceof Actor.Owner
            ? fate.past.owner().filter(author::equals).isPresent()
            : author.equals(request.author()),
        () -> "the author of " + fate + " is " + author);
  }

  private void refused(AdmissionRequest request, Refusal refusal, boolean known) {
    boolean fair =
        switch (refusal) {
          case Refusal.Invalid _ ->
              !known && request.definition().model().model().equals("unknown");
          case Refusal.Forbidden _ ->
              !known
                  && (request.author() instanceof Actor.Owner
                      || authority.everRefused(request.author()));
          case Refusal.NotAwaited _ -> false;
          case Refusal.Burned burned ->
              !known
                  && request.destination() instanceof Destination.Exact to
                  && witness.isBurned(to.instance())
                  && burned.next().isPresent() == to.instance().id().continued();
          case Refusal.KeyReused _ ->
              first(request).filter(fate -> !isOf(fate, request)).isPresent();
          case Refusal.Full _ -> !known;
          case Refusal.Draining _ -> true;
          case Refusal.Unauthorized _,
              Refusal.NoRoute _,
              Refusal.NoMethod _,
              Refusal.TooLarge _,
              Refusal.NoToolHost _,
              Refusal.StoreUnable _,
              Refusal.NotHeld _ ->
              false;
        };
    law.holds(fair, () -> request + " is refused: " + refusal);
    requireNotAdmitted(request);
  }

  /** With a key an earlier try may have been admitted. */
  private void requireNotAdmitted(AdmissionRequest request) {
    law.holds(
        request.key().isPresent() || witness.byPrompt(request.prompt()).isEmpty(),
        () -> request + " is refused and admitted");
  }

  /** Answers what a Turn waits for. */
  void answer(SimulatedProcess process, Instance instance, Answers.Answer answer) {
    tell("answers " + instance + ": " + answer);
    try {
      process.answers().answer(instance, answer);
      tell("is told that " + instance + " took " + answer.callId());
      figures.answered();
      Past past = law.there(witness.held(instance), () -> instance + " took an answer, not held");
      law.holds(
          past.tookAnswer(answer.callId(), answer.author()),
          () -> "lost: the answer of " + answer + " in " + past);
    } catch (RefusedException e) {
      tell("is refused: " + e.refusal().message());
      law.holds(
          switch (e.refusal()) {
            case Refusal.NotAwaited _, Refusal.NotHeld _, Refusal.StoreUnable _ -> true;
            case Refusal.Forbidden _ ->
                answer.author() instanceof Actor.Owner || authority.everRefused(answer.author());
            case Refusal.Burned _,
                Refusal.Draining _,
                Refusal.Full _,
                Refusal.Invalid _,
                Refusal.KeyReused _,
                Refusal.NoMethod _,
                Refusal.NoRoute _,
                Refusal.NoToolHost _,
                Refusal.TooLarge _,
                Refusal.Unauthorized _ ->
                false;
          },
          () -> answer + " is refused: " + e.refusal());
    } catch (StoreUnableException e) {
      tell("is told of the disk: " + e.getMessage());
    } catch (CorruptEventException e) {
      law.holds(disk.wasCorrupt(instance), () -> "not corrupt: " + Trace.shown(e));
    }
  }

  /** Aborts. */
  void abort(SimulatedProcess process, Instance instance) {
    tell("aborts " + instance);
    Optional<Past> past = witness.held(instance);
    List<Fate> owed = past.map(Past::unsettled).orElse(List.of());
    Optional<Fate> running = past.flatMap(Past::running);
    // While another abort is at it, what the model says is heard no more.
    boolean alone = aborts.merge(instance, 1, Integer::sum) == 1;
    String said = running.filter(_ -> alone).map(fate -> fate.streamed.toString()).orElse("");
    int releases = seats.releases(instance);
    try {
      boolean aborted = process.conversations().abort(instance);
      tell("is told that " + instance + " is aborted: " + aborted);
      for (Fate fate : owed) {
        law.holds(fate.settlement.isPresent(), () -> "the abort left " + fate);
        fate.swept = true;
      }
      running.ifPresent(fate -> requireKept(fate, said));
      law.holds(
          seats.releases(instance) > releases,
          () -> "the abort answers, and what ran for " + instance + " was not ended");
      figures.aborted();
    } catch (RefusedException e) {
      law.holds(
          e.refusal() instanceof Refusal.NotHeld && owed.isEmpty(),
          () -> "an abort is refused: " + e.refusal());
    } catch (StoreUnableException e) {
      tell("is told of the disk: " + e.getMessage());
    } catch (CorruptEventException e) {
      law.holds(disk.wasCorrupt(instance), () -> "not corrupt: " + Trace.shown(e));
    } finally {
      aborts.merge(instance, -1, Integer::sum);
    }
  }

  /** What a model had said when its Turn was aborted is in the conversation. */
  private void requireKept(Fate fate, String said) {
    law.holds(
        fate.torn
            || !(fate.settlement.orElseThrow() instanceof Settlement.Aborted)
            || said.isEmpty()
            || fate.recorded.stream().anyMatch(kept -> kept.startsWith(said)),
        () -> "the model of " + fate + " said '" + said + "', kept is '" + fate.recorded + "'");
  }

  void free(SimulatedProcess process, Set<Instance> live, Duration grace) {
    tell("frees all but " + live.size() + " after " + grace);
    try {
      figures.freed(process.conversations().free(live, grace));
    } catch (StoreUnableException e) {
      tell("is told of the disk: " + e.getMessage());
    }
  }
}
