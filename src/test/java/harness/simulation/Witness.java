package harness.simulation;

import harness.agent.Address;
import harness.agent.Instance;
import harness.author.Actor;
import harness.author.Permission;
import harness.conversation.Decoded;
import harness.conversation.Event;
import harness.conversation.FaultReport;
import harness.conversation.Limits;
import harness.conversation.Settlement;
import harness.store.Append;
import harness.store.Claim;
import harness.store.InMemoryEventStore;
import harness.store.StoredEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Sees each commit, remembers all of them, and says at once which one must not have been. */
final class Witness {
  private record KeyName(String scope, String key) {}

  private final Law law;
  private final Limits limits;
  private final LabAuthority authority;
  private final Map<Instance, Past> held = new LinkedHashMap<>();
  private final List<Past> pasts = new ArrayList<>();
  private final Set<String> lives = new HashSet<>();
  private final Set<Instance> burned = new HashSet<>();
  private final Map<String, Fate> fates = new LinkedHashMap<>();
  private final Map<String, Fate> byPrompt = new HashMap<>();
  private final Map<KeyName, Fate> byKey = new HashMap<>();
  private final Map<Address, Integer> epochs = new HashMap<>();
  private final List<FaultReport> faults = new ArrayList<>();
  private final Map<Instance, Integer> tools = new HashMap<>();
  private final Set<Past> spoilt = new HashSet<>();
  private int unsettled;
  private boolean stopped;

  Witness(Law law, Limits limits, LabAuthority authority) {
    this.authority = authority;
    this.law = law;
    this.limits = limits;
  }

  void committed(Append append) {
    Instance instance = append.instance();
    Past past =
        append.expected() == 0
            ? begin(append)
            : law.there(
                Optional.ofNullable(held.get(instance)), () -> "an append to no " + instance);
    law.holds(
        past.life.equals(append.life()) && past.size() == append.expected(),
        () -> "an append of the life " + append.life() + " to " + past);
    int before = past.unsettled().size();
    List<FaultReport> due = new ArrayList<>();
    for (byte[] body : append.events()) {
      Optional<Event.Answered> answered = past.answered();
      Event event = past.apply(body, this::admitted);
      requireRight(past, event, answered);
      if (event instanceof Event.SubmissionAdmitted e && e.heir().isPresent()) {
        requireHeir(past, e);
      }
      law.holds(!stopped || mayFollowTheStop(event), () -> past + " got " + event + " at the end");
      if (event instanceof Event.SubmissionSettled e) {
        settled(past, e, append).ifPresent(due::add);
      }
      law.holds(
          !(event instanceof Event.TurnStarted || event instanceof Event.TurnResumed)
              || tools.getOrDefault(instance, 0) == 0,
          () -> "a Turn of " + past + " starts while a tool of an earlier one still runs");
    }
    law.holds(!past.picked(), () -> past + " has a pick that settles nothing in its append");
    List<FaultReport> told = append.faults().stream().map(Decoded::fault).toList();
    law.holds(told.equals(due), () -> "the feed of faults got " + told + " and not " + due);
    faults.addAll(told);
    append.claims().forEach(claim -> claimed(claim, append));
    if (past.burned()) {
      burned.add(instance);
      law.holds(
          past.unsettled().isEmpty(), () -> past + " is burned and holds " + past.unsettled());
    }
    int after = past.unsettled().size();
    law.holds(after == append.unsettled(), () -> past + " is told to the store with another count");
    if (!spoilt.contains(past)) {
      unsettled += after - before;
    }
    law.holds(unsettled <= limits.queueTotal(), () -> unsettled + " are unsettled: " + unsettled());
    law.holds(past.waiting() <= limits.queue(), () -> past.waiting() + " wait on " + past);
  }

  /** An address keeps its owner, and has no other. */
  private void requireHeir(Past past, Event.SubmissionAdmitted e) {
    Address address = Address.generation(past.instance).address();
    law.holds(
        pasts.stream()
            .anyMatch(
                other ->
                    other != past
                        && other.instance.id().continued()
                        && Address.generation(other.instance).address().equals(address)
                        && other.owner().equals(e.heir())),
        () -> e + " inherits " + past + " from nobody");
  }

  /** Who starts or resumes a Turn may, and who is passed over may not. */
  private void requireRight(Past past, Event event, Optional<Event.Answered> answered) {
    switch (event) {
      case Event.TurnStarted e ->
          law.holds(
              authority.said(true, e.actor(), Permission.TURN_START, past.instance),
              () -> e + " may not start");
      case Event.TurnResumed e ->
          law.holds(
              authority.said(true, e.actor(), Permission.TURN_ANSWER, past.instance),
              () -> e + " may not go on");
      case Event.SubmissionSettled e
          when e.settlement() instanceof Settlement.Forbidden && e.joined().isEmpty() -> {
        Fate fate = fates.get(e.submissionId());
        Actor author =
            answered
                .map(Event.Answered::author)
                .orElseGet(() -> Objects.requireNonNull(fate).submission.author());
        law.holds(
            authority.said(
                false,
                new Actor.Agent(past.instance.id().value(), author.actsFor()),
                answered.isPresent() ? Permission.TURN_ANSWER : Permission.TURN_START,
                past.instance),
            () -> fate + " is passed over, and may start");
      }
      case Event.SubmissionSettled _,
          Event.SubmissionAdmitted _,
          Event.MessageJoined _,
          Event.PromptAppended _,
          Event.ReplyAppended _,
          Event.ToolCalled _,
          Event.ToolReturned _,
          Event.AwaitingAnswer _,
          Event.Answered _,
          Event.Proposed _,
          Event.ProposalResolved _,
          Event.MemoryLimit _,
          Event.Picked _,
          Event.Nudged _,
          Event.Rerolled _,
          Event.Compacted _ -> {}
    }
  }

  /** Conversations whose Turn waits for an answer. */
  List<Past> paused() {
    return held.values().stream().filter(past -> past.awaiting().isPresent()).toList();
  }

  /** An append to it was not taken. */
  void failed(Instance instance) {
    held(instance).flatMap(Past::running).ifPresent(fate -> fate.torn = true);
  }

  /** How often a summary took the place of older messages, in all conversations. */
  int compacted() {
    return pasts.stream().mapToInt(Past::compacted).sum();
  }

  /** How many Submissions rode with the Turn of another. */
  long rides() {
    return fates.values().stream().filter(fate -> fate.leader.isPresent()).count();
  }

  /** How many settled because whom they were for might not go on. */
  long passedOver() {
    return fates.values().stream()
        .filter(fate -> fate.settlement.filter(Settlement.Forbidden.class::isInstance).isPresent())
        .count();
  }

  private static boolean mayFollowTheStop(Event event) {
    return switch (event) {
      case Event.SubmissionAdmitted _, Event.SubmissionSettled _, Event.Answered _ -> true;
      case Event.ReplyAppended e -> e.cut();
      case Event.ToolReturned e ->
          e.outcome() == Event.Outcome.UNKNOWN || e.text().startsWith("not run");
      case Event.TurnStarted _,
          Event.TurnResumed _,
          Event.MessageJoined _,
          Event.AwaitingAnswer _,
          Event.Proposed _,
          Event.ProposalResolved _,
          Event.MemoryLimit _,
          Event.PromptAppended _,
          Event.ToolCalled _,
          Event.Picked _,
          Event.Nudged _,
          Event.Rerolled _,
          Event.Compacted _ ->
          false;
    };
  }

  private Past begin(Append append) {
    Instance instance = append.instance();
    law.holds(!held.containsKey(instance), () -> instance + " begins anew while it is held");
    law.holds(!burned.contains(instance), () -> instance + " was burned and begins anew");
    law.holds(lives.add(append.life()), () -> "two lives are named " + append.life());
    Past past = new Past(instance, append.life(), law);
    held.put(instance, past);
    pasts.add(past);
    return past;
  }

  private void admitted(Fate fate) {
    law.holds(
        fates.put(fate.id(), fate) == null && byPrompt.put(fate.prompt(), fate) == null,
        () -> "doubled: " + fate);
  }

  /** The report that the feed of faults has to get. */
  private Optional<FaultReport> settled(Past past, Event.SubmissionSettled e, Append append) {
    if (!(e.settlement() instanceof Settlement.Failed failed)) {
      return Optional.empty();
    }
    String reason = failed.fault().reason();
    law.holds(
        !reason.contains("a bug of the Harness") || reason.contains(LabModel.PLANNED),
        () -> "a bug: " + reason);
    boolean bumps = failed.fault().faultClass().burns() && past.instance.id().continued();
    law.holds(failed.bump().isPresent() == bumps, () -> "the bump of " + failed);
    failed.bump().ifPresent(bump -> requireOpened(past, bump, append));
    return failed.causedBy().isPresent() || e.joined().isPresent()
        ? Optional.empty()
        : Optional.of(new FaultReport(past.instance, e.submissionId(), failed));
  }

  private void requireOpened(Past past, Settlement.Bump bump, Append append) {
    Address.Generation left = Address.generation(past.instance);
    int epoch = epoch(left.address());
    List<Claim> claims = append.claims();
    boolean opens =
        claims.size() == 1
            && claims.getFirst() instanceof Claim.Epoch claim
            && claim.address().equals(left.address())
            && claim.epoch() == bump.to()
            && bump.to() == left.epoch() + 1;
    law.holds(
        bump.from() == left.epoch() && (opens || (claims.isEmpty() && isFurther(bump, epoch))),
        () -> past + " bumps " + bump + " with " + claims + " where the epoch is " + epoch);
  }

  /**
   * Somebody else took the address there before, and maybe further still since it was looked at.
   */
  private static boolean isFurther(Settlement.Bump bump, int epoch) {
    return bump.from() < bump.to() && bump.to() <= epoch;
  }

  private void claimed(Claim claim, Append append) {
    switch (claim) {
      case Claim.Key key -> {
        Fate fate = Objects.requireNonNull(held.get(append.instance())).unsettled().getLast();
        KeyName name = new KeyName(key.scope(), key.key());
        law.holds(byKey.put(name, fate) == null, () -> "the key " + name + " is taken twice");
      }
      case Claim.Epoch epoch -> {
        int was = epoch(epoch.address());
        law.holds(epoch.epoch() > was, () -> "from epoch " + was + " to " + epoch);
        epochs.put(epoch.address(), epoch.epoch());
      }
    }
  }

  void freed(List<Instance> gone) {
    for (Instance instance : gone) {
      Optional.ofNullable(held.remove(instance)).ifPresent(Past::free);
    }
  }

  /** It can't be read any more: a process may leave it aside. */
  void spoilt(Instance instance) {
    Past past = held.get(instance);
    if (past != null && spoilt.add(past)) {
      unsettled -= past.unsettled().size();
    }
  }

  /** In the process that runs. */
  void toolsRunning(Instance instance, int by) {
    tools.merge(instance, by, Integer::sum);
  }

  /** The process that ran is no more. */
  void crash() {
    tools.clear();
    stopped = false;
  }

  /** The process was told to end: what runs in it is heard no more. */
  void stop() {
    stopped = true;
  }

  Optional<Past> held(Instance instance) {
    return Optional.ofNullable(held.get(instance));
  }

  /** Whether the same conversation was held, and freed, before this life of it. */
  boolean livedBefore(Past life) {
    return pasts.stream()
        .takeWhile(past -> past != life)
        .anyMatch(past -> past.instance.equals(life.instance));
  }

  /** All conversations that ever were. */
  List<Instance> known() {
    return pasts.stream().map(past -> past.instance).distinct().toList();
  }

  boolean isBurned(Instance instance) {
    return burned.contains(instance);
  }

  int epoch(Address address) {
    return epochs.getOrDefault(address, 0);
  }

  Optional<Fate> fate(String submissionId) {
    return Optional.ofNullable(fates.get(submissionId));
  }

  Optional<Fate> byPrompt(String prompt) {
    return Optional.ofNullable(byPrompt.get(prompt));
  }

  Optional<Fate> byKey(String scope, String key) {
    return Optional.ofNullable(byKey.get(new KeyName(scope, key)));
  }

  List<FaultReport> faults() {
    return faults;
  }

  /** What is admitted and not settled. */
  List<Fate> unsettled() {
    return held.values().stream().flatMap(past -> past.unsettled().stream()).toList();
  }

  /** What the disk holds is what was committed, all of it and nothing else. */
  void requireKept(InMemoryEventStore disk) {
    for (Past past : held.values()) {
      List<StoredEvent> events = disk.read(past.instance, 0, Integer.MAX_VALUE);
      law.holds(events.size() == past.size(), () -> "lost: " + past + " has " + events.size());
      for (StoredEvent event : events) {
        byte[] body = past.bodies.get((int) event.sequence());
        law.holds(Arrays.equals(event.body(), body), () -> "another event in " + past);
      }
    }
  }
}
