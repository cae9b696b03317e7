package harness.simulation;

import harness.agent.Instance;
import harness.author.Actor;
import harness.author.Principal;
import harness.conversation.Decoded;
import harness.conversation.Delivery;
import harness.conversation.Event;
import harness.conversation.Settlement;
import harness.fault.FaultClass;
import harness.menu.Menu;
import harness.menu.Pick;
import harness.model.Message;
import harness.model.Part;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** One life of a conversation as its commits tell it, and what each commit has to keep. */
final class Past {
  final Instance instance;
  final String life;
  final List<byte[]> bodies = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();
  private final Law law;
  private final Map<String, Fate> unsettled = new LinkedHashMap<>();
  private final Set<String> open = new LinkedHashSet<>();
  private final Map<String, Fate> calls = new HashMap<>();
  private Optional<Fate> running = Optional.empty();
  private final List<Fate> riders = new ArrayList<>();
  private Optional<Fate> boarding = Optional.empty();
  private Actor segment = new Actor.System();
  private Optional<Event.AwaitingAnswer> awaiting = Optional.empty();
  private Optional<Event.Answered> answered = Optional.empty();
  private Optional<Actor> owner = Optional.empty();
  private List<Message> lastAsked = List.of();
  private Optional<Pick> picked = Optional.empty();
  private int compacted;
  private boolean prompted;
  private boolean burned;
  private boolean freed;

  Past(Instance instance, String life, Law law) {
    this.instance = instance;
    this.life = life;
    this.law = law;
  }

  int size() {
    return events.size();
  }

  /** Whether a pick waits for its Settlement. */
  boolean picked() {
    return picked.isPresent();
  }

  boolean burned() {
    return burned;
  }

  boolean freed() {
    return freed;
  }

  void free() {
    law.holds(unsettled.isEmpty(), () -> this + " was freed with " + unsettled.values());
    freed = true;
  }

  List<Fate> unsettled() {
    return List.copyOf(unsettled.values());
  }

  Optional<Fate> running() {
    return running;
  }

  /** How often a summary took the place of older messages. */
  int compacted() {
    return compacted;
  }

  Optional<Actor> owner() {
    return owner;
  }

  int waiting() {
    return unsettled.size() - (running.isPresent() ? 1 : 0) - riders.size();
  }

  /** The call that its Turn waits for an answer to. */
  Optional<Event.AwaitingAnswer> awaiting() {
    return awaiting.filter(_ -> answered.isEmpty());
  }

  /** Whether it has an answer to a call, by an author; of the owner where one asks for them. */
  boolean tookAnswer(String callId, Actor author) {
    return events.stream()
        .anyMatch(
            event ->
                event instanceof Event.Answered e
                    && e.callId().equals(callId)
                    && (author instanceof Actor.Owner
                        ? owner.filter(e.author()::equals).isPresent()
                        : e.author().equals(author)));
  }

  /** What was answered, and did not go on yet. */
  Optional<Event.Answered> answered() {
    return answered;
  }

  /** Whether something may be done as this actor now. */
  boolean isSegment(Actor actor) {
    return actor instanceof Actor.Agent agent && agent.onBehalfOf().equals(segment.actsFor());
  }

  /** Whose call it is, if the model made it. */
  Optional<Fate> caller(String callId) {
    return Optional.ofNullable(calls.get(callId));
  }

  boolean hasOpenCalls() {
    return !open.isEmpty();
  }

  boolean isOpen(String callId) {
    return open.contains(callId);
  }

  Event apply(byte[] body, Consumer<Fate> admitted) {
    Event event = Decoded.event(body);
    law.holds(!burned || event instanceof Event.SubmissionSettled, () -> after("burn", event));
    switch (event) {
      case Event.SubmissionAdmitted e -> {
        Fate fate = new Fate(e.submission(), this, events.size(), unsettled.size());
        admitted.accept(fate);
        unsettled.put(fate.id(), fate);
        owner = owner.or(e::heir).or(() -> e.submission().author().actsFor());
      }
      case Event.TurnStarted e -> start(e);
      case Event.TurnResumed e -> resume(e);
      case Event.MessageJoined e -> join(e);
      case Event.PromptAppended e -> prompt(e);
      case Event.AwaitingAnswer e -> {
        Fate fate = requireRunning(e);
        law.holds(
            open.contains(e.callId())
                && fate.submission.definition().approve().contains(e.tool())
                && isSegment(e.actor()),
            () -> fate + " waits for " + e);
        awaiting = Optional.of(e);
      }
      case Event.Answered e -> {
        law.holds(
            awaiting().filter(one -> one.callId().equals(e.callId())).isPresent(),
            () -> this + " got an answer that nothing waits for: " + e);
        answered = Optional.of(e);
      }
      case Event.Proposed _, Event.ProposalResolved _, Event.MemoryLimit _ ->
          law.holds(false, () -> this + " got " + event);
      case Event.ReplyAppended e -> said(requireRunning(e), e);
      case Event.ToolCalled e -> {
        Fate fate = requireRunning(e);
        law.holds(isSegment(e.actor()), () -> e + " is not made for " + segment);
        law.holds(
            calls.put(e.callId(), fate) == null,
            () -> "a second call " + e.callId() + " in " + this);
        open.add(e.callId());
      }
      case Event.ToolReturned e -> {
        if (awaiting.isEmpty()) {
          requireRunning(e);
        }
        law.holds(open.remove(e.callId()), () -> "a second result of " + e.callId() + this);
      }
      case Event.Picked e -> pick(requireRunning(e), e.pick());
      case Event.Nudged e -> nudge(requireRunning(e), e);
      case Event.Rerolled e -> reroll(requireRunning(e), e);
      case Event.Compacted e -> compact(requireRunning(e), e);
      case Event.SubmissionSettled e -> settle(e);
    }
    events.add(event);
    bodies.add(body);
    return event;
  }

  private void start(Event.TurnStarted e) {
    Fate first =
        law.there(
            unsettled.values().stream().findFirst(), () -> e + " starts, and nothing is unsettled");
    law.holds(
        running.isEmpty() && first.id().equals(e.submissionId()),
        () -> "Turn " + e.submissionId() + " starts while " + running + " runs before " + first);
    law.holds(!first.started && e.attempt() == 1, () -> first + " starts twice");
    first.started = true;
    running = Optional.of(first);
    segment = first.submission.author();
    law.holds(isSegment(e.actor()), () -> e + " is not for " + segment);
    prompted = false;
  }

  private void prompt(Event.PromptAppended e) {
    if (boarding.isPresent()) {
      law.holds(
          boarding.get().id().equals(e.submissionId()),
          () -> boarding.get() + " rides, and the prompt is " + e);
      boarding = Optional.empty();
      return;
    }
    requireRunning(e);
    law.holds(!prompted, () -> "a second prompt of " + e.submissionId() + " in " + this);
    prompted = true;
  }

  private void resume(Event.TurnResumed e) {
    Event.Answered by = law.there(answered, () -> this + " goes on without an answer: " + e);
    law.holds(
        running.filter(fate -> fate.id().equals(e.submissionId())).isPresent()
            && e.author().equals(by.author()),
        () -> this + " goes on by " + by + " as " + e);
    segment = e.author();
    law.holds(isSegment(e.actor()), () -> e + " is not for " + segment);
    awaiting = Optional.empty();
    answered = Optional.empty();
  }

  /** No segment takes a message of another author, or one that stands behind such a one. */
  private void join(Event.MessageJoined e) {
    Fate leader = law.there(running, () -> e + " rides, and nothing runs");
    Fate next =
        law.there(
            unsettled.values().stream()
                .filter(fate -> fate != leader && !riders.contains(fate))
                .findFirst(),
            () -> e + " rides, and nothing waits");
    law.holds(
        next.id().equals(e.submissionId()) && leader.id().equals(e.rides()),
        () -> e + " rides with " + leader + ", and the next is " + next);
    law.holds(
        Principal.same(next.submission.author(), segment),
        () -> next + " of another author rides in a segment of " + segment);
    law.holds(
        next.submission.delivery() == Delivery.JOIN
            && next.submission.definition().equals(leader.submission.definition())
            && next.submission.menu().equals(leader.submission.menu()),
        () -> next + " rides with " + leader + ", which it does not suit");
    law.holds(open.isEmpty() && awaiting.isEmpty(), () -> e + " rides between a call and its end");
    riders.add(next);
    next.leader = Optional.of(leader);
    boarding = Optional.of(next);
  }

  private Fate requireRunning(Event event) {
    Optional<Fate> turn = running.filter(fate -> fate.id().equals(event.submissionId()));
    law.holds(turn.isPresent(), () -> after("end of its Turn", event));
    law.holds(awaiting.isEmpty(), () -> after("pause of its Turn", event));
    law.holds(boarding.isEmpty(), () -> after("start of a ride without its prompt", event));
    return turn.orElseThrow();
  }

  private String after(String what, Event event) {
    return "after the " + what + ", " + this + " got " + event;
  }

  private void pick(Fate fate, Pick pick) {
    Menu menu = fate.submission.picks();
    law.holds(
        menu.find(pick.name())
            .filter(tool -> menu.refusal(tool, pick.input()).isEmpty())
            .isPresent(),
        () -> fate + " is ended by " + pick + ", which it may not make");
    picked = Optional.of(pick);
  }

  private void nudge(Fate fate, Event.Nudged e) {
    law.holds(
        fate.submission.minted() && fate.submission.picks().wantsPick(),
        () -> fate + " is nudged, and owes no pick");
    law.holds(
        e.attempt() == ++fate.nudges && fate.nudges <= SimulatedProcess.NUDGES,
        () -> fate + " got " + e);
  }

  private void reroll(Fate fate, Event.Rerolled e) {
    law.holds(
        fate.submission.minted() && !instance.id().continued() && open.isEmpty(),
        () -> fate + " begins anew with the open calls " + open);
    law.holds(
        e.attempt() == ++fate.rerolls && fate.rerolls <= SimulatedProcess.REROLLS,
        () -> fate + " got " + e);
    fate.nudges = 0;
    lastAsked = List.of();
  }

  /** Each takes the place of something that was said, and leaves the newest. */
  private void compact(Fate fate, Event.Compacted e) {
    List<Message> messages = messages();
    List<Message> older = messages.subList(0, messages.size() - e.kept());
    law.holds(
        open.isEmpty() && e.kept() > 0 && !(messages.get(older.size()) instanceof Message.Results),
        () -> fate + " is compacted between a call and its result: " + e);
    law.holds(
        older.stream().anyMatch(one -> !isSummary(one) && !isPrompt(fate, one)),
        () -> fate + " got a summary of a summary: " + e);
    law.holds(
        e.summary().endsWith(fate.summary),
        () -> e + " is not what the model said: " + fate.summary);
    lastAsked = List.of();
    compacted++;
  }

  private static boolean isPrompt(Fate fate, Message message) {
    return message instanceof Message.User user && user.blocks().getFirst().equals(fate.prompt());
  }

  private static boolean isSummary(Message message) {
    return message instanceof Message.User user
        && user.blocks().getFirst().contains(LabModel.SUMMARY);
  }

  private void said(Fate fate, Event.ReplyAppended e) {
    String text = "";
    for (Part part : e.parts()) {
      text += part instanceof Part.Text(String words) ? words : "";
    }
    String said = text;
    law.holds(
        e.cut() ? fate.streamed.toString().startsWith(said) : fate.streamed.toString().equals(said),
        () -> "recorded of " + fate + " is '" + said + "', said was '" + fate.streamed + "'");
    fate.recorded.add(said);
  }

  private void settle(Event.SubmissionSettled e) {
    Fate first =
        law.there(
            unsettled.values().stream().findFirst(),
            () -> e + " settles, and nothing is unsettled");
    law.holds(
        first.id().equals(e.submissionId()),
        () -> "settled out of order or twice: " + e + " in " + this + ", first is " + first);
    law.holds(open.isEmpty(), () -> first + " is settled with the open calls " + open);
    law.holds(e.joined().equals(first.leader.map(Fate::id)), () -> first + " is settled as " + e);
    law.holds(
        first.started
            || first
                .leader
                .filter(one -> one.settlement.equals(Optional.of(e.settlement())))
                .isPresent()
            || e.settlement() instanceof Settlement.Aborted
            || e.settlement() instanceof Settlement.Forbidden
            || isBehind(e.settlement())
            || isUnread(e.settlement()),
        () -> first + " is settled without a start: " + e.settlement());
    if (first.leader.isEmpty()) {
      requireEnd(first, e.settlement());
    }
    picked = Optional.empty();
    unsettled.remove(first.id());
    riders.remove(first);
    first.settlement = Optional.of(e.settlement());
    running = running.filter(fate -> fate != first);
    awaiting = Optional.empty();
    answered = Optional.empty();
    burned |=
        e.settlement() instanceof Settlement.Failed failed && failed.fault().faultClass().burns();
  }

  /** A Turn completes by its pick, or with text where none is owed; it is not given up early. */
  private void requireEnd(Fate fate, Settlement settlement) {
    Optional<Pick> own =
        settlement instanceof Settlement.Completed completed ? completed.pick() : Optional.empty();
    law.holds(own.equals(picked), () -> fate + " picked " + picked + " and settles with " + own);
    boolean owes = fate.submission.minted() && fate.submission.picks().wantsPick();
    law.holds(
        !(settlement instanceof Settlement.Completed) || own.isPresent() || !owes,
        () -> fate + " completes without its pick");
    if (settlement instanceof Settlement.Failed failed && failed.causedBy().isEmpty()) {
      FaultClass why = failed.fault().faultClass();
      law.holds(
          why != FaultClass.NO_SIGNAL || (owes && fate.nudges == SimulatedProcess.NUDGES),
          () -> fate + " is given up after " + fate.nudges + " nudges");
      law.holds(
          (why != FaultClass.NO_SIGNAL && why != FaultClass.RUNAWAY)
              || instance.id().continued()
              || !fate.submission.minted()
              || fate.rerolls == SimulatedProcess.REROLLS,
          () -> fate + " is given up after " + fate.rerolls + " rerolls");
    }
  }

  private static boolean isUnread(Settlement settlement) {
    return settlement instanceof Settlement.Failed failed
        && failed.fault().faultClass() == FaultClass.INFRA
        && failed.fault().reason().contains("checksum");
  }

  private static boolean isBehind(Settlement settlement) {
    return settlement instanceof Settlement.Failed failed && failed.causedBy().isPresent();
  }

  /** A request for a summary is a part of what was said, from its beginning. */
  void askedForSummary(List<Message> messages) {
    List<Message> expected = messages();
    law.holds(
        messages.size() < expected.size() && messages.equals(expected.subList(0, messages.size())),
        () -> "a model of " + this + " was to summarise\n" + messages + "\nof\n" + expected);
  }

  /** A request to a model is what was said until now, and begins as the one before did. */
  void asked(List<Message> messages) {
    List<Message> expected = messages();
    law.holds(
        messages.equals(expected),
        () -> "a model of " + this + " was asked\n" + messages + "\nand not\n" + expected);
    law.holds(
        lastAsked.size() <= messages.size()
            && messages.subList(0, lastAsked.size()).equals(lastAsked),
        () -> "what a model of " + this + " was asked before has changed: " + messages);
    lastAsked = messages;
  }

  /** What a model has to see. */
  private List<Message> messages() {
    List<Message> messages = new ArrayList<>();
    Message prompt = new Message.User(List.of());
    Set<String> ride = new HashSet<>();
    List<Message> ridden = new ArrayList<>();
    Map<String, String> prompts = new LinkedHashMap<>();
    Map<String, String> names = new LinkedHashMap<>();
    List<Part> said = new ArrayList<>();
    List<Message.Result> results = new ArrayList<>();
    for (Event event : events) {
      boolean speaks =
          event instanceof Event.ReplyAppended
              || event instanceof Event.PromptAppended
              || event instanceof Event.Nudged;
      if (speaks || (event instanceof Event.ToolCalled && !results.isEmpty())) {
        flush(messages, said, results);
      }
      switch (event) {
        case Event.SubmissionAdmitted e ->
            prompts.put(e.submissionId(), e.submission().frame().prompt());
        case Event.MessageJoined e -> ride.add(e.submissionId());
        case Event.PromptAppended e -> {
          List<String> blocks = new ArrayList<>(List.of(prompts.get(e.submissionId())));
          e.briefing().ifPresent(blocks::add);
          Message asked = new Message.User(blocks);
          if (ride.contains(e.submissionId())) {
            ridden.add(asked);
          } else {
            prompt = asked;
            ridden.clear();
          }
          messages.add(asked);
        }
        case Event.Nudged e -> messages.add(new Message.User(List.of(e.text())));
        case Event.Rerolled _ -> {
          said.clear();
          results.clear();
          messages.clear();
          messages.add(prompt);
          messages.addAll(ridden);
        }
        case Event.ReplyAppended e -> said.addAll(e.parts());
        case Event.ToolCalled e -> {
          said.add(new Part.Call(e.callId(), e.name(), e.input()));
          names.put(e.callId(), e.name());
        }
        case Event.ToolReturned e ->
            results.add(
                new Message.Result(
                    e.callId(),
                    Objects.requireNonNull(names.get(e.callId())),
                    e.outcome() != Event.Outcome.OK,
                    e.text(),
                    e.images()));
        case Event.Compacted e -> {
          flush(messages, said, results);
          List<Message> newest = messages.subList(messages.size() - e.kept(), messages.size());
          List<Message> kept = new ArrayList<>(newest);
          if (newest.stream().noneMatch(prompt::equals)) {
            kept.addFirst(prompt);
          }
          kept.addFirst(new Message.User(List.of(e.summary())));
          messages.clear();
          messages.addAll(kept);
        }
        case Event.TurnStarted _,
            Event.TurnResumed _,
            Event.AwaitingAnswer _,
            Event.Answered _,
            Event.Proposed _,
            Event.ProposalResolved _,
            Event.MemoryLimit _,
            Event.Picked _,
            Event.SubmissionSettled _ -> {}
      }
    }
    flush(messages, said, results);
    return messages;
  }

  private static void flush(List<Message> messages, List<Part> said, List<Message.Result> results) {
    if (!said.isEmpty()) {
      messages.add(new Message.Assistant(said));
      said.clear();
    }
    if (!results.isEmpty()) {
      messages.add(new Message.Results(results));
      results.clear();
    }
  }

  @Override
  public String toString() {
    return instance + " in the life " + life;
  }
}
