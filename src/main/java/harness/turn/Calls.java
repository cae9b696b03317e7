package harness.turn;

import static java.util.stream.Collectors.joining;

import harness.agent.Definition;
import harness.author.Actor;
import harness.author.Authority;
import harness.author.Permission;
import harness.conversation.Attempt;
import harness.conversation.EndedException;
import harness.conversation.Event;
import harness.conversation.Proposal;
import harness.conversation.Settlement;
import harness.conversation.Submission;
import harness.fault.Fault;
import harness.menu.Menu;
import harness.menu.MenuTool;
import harness.menu.Pick;
import harness.model.Part;
import harness.model.Reply;
import harness.tool.Mode;
import harness.tool.Progress;
import harness.tool.Seen;
import harness.tool.ToolBox;
import harness.tool.ToolCall;
import harness.tool.ToolResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Answers the calls of a reply in order: a Working tool's is run, one of the Menu is judged, one
 * that must be approved pauses the Turn. Each gets a result, whatever happens.
 */
final class Calls {
  /** How many proposals of one conversation may wait. */
  private static final int MAX_PROPOSALS = 256;

  private final ToolBox tools;
  private final Authority authority;
  private final InstantSource clock;

  Calls(ToolBox tools, Authority authority, InstantSource clock) {
    this.tools = tools;
    this.authority = authority;
    this.clock = clock;
  }

  /** Appends what was said and each result; empty where the model is to be asked again. */
  Optional<End> answer(Attempt attempt, Reply.Calls reply, Watch watch, boolean takesImages)
      throws EndedException {
    List<Part.Call> calls = named(attempt, reply);
    List<Event> events = new ArrayList<>(Said.of(attempt, reply, false));
    for (Part.Call call : calls) {
      events.add(
          new Event.ToolCalled(
              id(attempt), call.callId(), call.name(), call.input(), attempt.actor()));
    }
    attempt.append(events);
    return answer(attempt, calls, watch, takesImages);
  }

  /** The same for the calls that a pause left open: the first of them has its answer by now. */
  Optional<End> goOn(Attempt attempt, Watch watch, boolean takesImages) throws EndedException {
    List<Part.Call> open = attempt.openCalls();
    for (Event.Answered answer : attempt.answer().filter(_ -> !open.isEmpty()).stream().toList()) {
      Part.Call call = open.getFirst();
      attempt.append(
          switch (answer.decision()) {
            case ACCEPT -> noted(run(attempt, call, takesImages), answer);
            case REJECT ->
                List.of(result(attempt, call, Event.Outcome.ERROR, "not run: " + rejected(answer)));
          });
      return answer(attempt, open.subList(1, open.size()), watch, takesImages);
    }
    return Optional.empty();
  }

  /** What whoever accepted it says stands in front of its result. */
  private static List<Event> noted(List<Event> events, Event.Answered answer) {
    if (answer.note().isEmpty() || !(events.getFirst() instanceof Event.ToolReturned returned)) {
      return events;
    }
    String said = "[" + answer.author().participant() + " says: " + answer.note().get() + "]\n";
    List<Event> all = new ArrayList<>(events);
    all.set(
        0,
        new Event.ToolReturned(
            returned.submissionId(),
            returned.callId(),
            returned.outcome(),
            said + returned.text(),
            returned.millis(),
            returned.bytes(),
            returned.truncated(),
            returned.actor(),
            returned.provenance(),
            returned.images(),
            returned.seen()));
    return all;
  }

  private static String rejected(Event.Answered answer) {
    return answer.author().participant()
        + " rejected it"
        + answer.note().map(note -> " and says: " + note).orElse("");
  }

  private Optional<End> answer(
      Attempt attempt, List<Part.Call> calls, Watch watch, boolean takesImages)
      throws EndedException {
    Menu menu = attempt.submission().picks();
    for (int i = 0; i < calls.size(); i++) {
      Part.Call call = calls.get(i);
      Optional<Fault> circles = watch.call(call, attempt.repeats(call));
      if (circles.isPresent()) {
        attempt.append(notRun(attempt, calls.subList(i, calls.size())));
        return circles.map(End::failed);
      }
      Optional<MenuTool> menuTool = menu.find(call.name());
      Optional<String> refusal =
          menuTool.isPresent()
              ? menu.refusal(menuTool.get(), call.input())
              : unpermitted(attempt, call);
      if (refusal.isPresent()) {
        attempt.append(List.of(result(attempt, call, Event.Outcome.ERROR, refusal.get())));
      } else if (menuTool.isPresent()) {
        return Optional.of(picked(attempt, call, calls.subList(i + 1, calls.size())));
      } else if (waits(attempt, call)) {
        return Optional.of(pause(attempt, call));
      } else {
        attempt.append(run(attempt, call, takesImages));
      }
    }
    return Optional.empty();
  }

  private boolean waits(Attempt attempt, Part.Call call) {
    Definition definition = attempt.submission().definition();
    return definition.approve().contains(call.name())
        && !ToolBox.proposes(call.name(), definition.writes())
        && tools.offers(definition.workspace(), definition.writes()).stream()
            .anyMatch(offer -> offer.name().equals(call.name()));
  }

  private static End pause(Attempt attempt, Part.Call call) {
    return new End.Pauses(
        new Event.AwaitingAnswer(
            id(attempt),
            call.callId(),
            call.name(),
            call.input(),
            attempt.usage(),
            attempt.actor()));
  }

  /** Why whom the Turn is for may not have this done; empty where they may. */
  private Optional<String> unpermitted(Attempt attempt, Part.Call call) {
    Permission needed =
        tools.permission(call.name(), call.input(), attempt.submission().definition().writes());
    if (authority.permits(attempt.actor(), needed, attempt.instance())) {
      return Optional.empty();
    }
    return Optional.of(
        call.name()
            + " is not permitted: "
            + attempt.actor().onBehalfOf().map(Actor::participant).orElse("this Agent, for no one,")
            + " has no '"
            + needed.wire()
            + "' here");
  }

  /** The result of a call, and what else is to be recorded of it. */
  private List<Event> run(Attempt attempt, Part.Call call, boolean takesImages)
      throws EndedException {
    Optional<String> unpermitted = unpermitted(attempt, call);
    if (unpermitted.isPresent()) {
      return List.of(result(attempt, call, Event.Outcome.ERROR, unpermitted.get()));
    }
    Submission submission = attempt.submission();
    String cwd = submission.frame().cwd().orElse("");
    ToolCall toolCall =
        new ToolCall(
            call.callId(),
            call.name(),
            call.input(),
            cwd,
            submission.definition().workspace(),
            Mode.of(submission.definition().writes()),
            attempt.instance(),
            attempt.actor(),
            Seen.of(attempt.seen(), cwd, call.input()));
    Progress progress = text -> attempt.output(call.callId(), text);
    Instant begin = clock.instant();
    ToolResult called = attempt.runTool(() -> tools.call(toolCall, progress));
    ToolResult result = Pictures.kept(called, attempt.imageBytes(), takesImages);
    long millis = Duration.between(begin, clock.instant()).toMillis();
    return recorded(attempt, call, millis, result);
  }

  private static List<Event> recorded(
      Attempt attempt, Part.Call call, long millis, ToolResult result) {
    if (result.proposal().isPresent() && attempt.openProposals() >= MAX_PROPOSALS) {
      return List.of(
          result(
              attempt,
              call,
              Event.Outcome.ERROR,
              "not proposed: "
                  + MAX_PROPOSALS
                  + " proposals of this conversation are open; end your turn, so that people"
                  + " resolve some"));
    }
    List<Event> events = new ArrayList<>();
    events.add(
        new Event.ToolReturned(
            id(attempt),
            call.callId(),
            result.error() ? Event.Outcome.ERROR : Event.Outcome.OK,
            result.text(),
            millis,
            result.bytes(),
            result.truncated(),
            attempt.actor(),
            attempt.provenance(),
            result.images(),
            result.seen().versions()));
    result
        .excess()
        .map(
            excess ->
                new Event.MemoryLimit(
                    id(attempt), call.callId(), excess.peakBytes(), excess.limitBytes()))
        .ifPresent(events::add);
    // Only an Agent that suggests was told that nothing is done yet.
    result
        .proposal()
        .filter(_ -> attempt.submission().definition().writes() == Definition.Writes.SUGGEST)
        .map(proposal -> proposed(attempt, call, proposal))
        .ifPresent(events::add);
    return events;
  }

  private static Event proposed(Attempt attempt, Part.Call call, harness.tool.Proposal made) {
    String paths = made.files().stream().map(one -> one.path()).collect(joining(", "));
    String diffs = made.files().stream().map(one -> one.diff()).collect(joining());
    return new Event.Proposed(
        id(attempt),
        call.callId(),
        new Proposal(
            call.name(),
            call.input(),
            attempt.submission().frame().cwd().orElse(""),
            paths,
            diffs,
            made.madeFrom().versions(),
            made.becomes().versions()),
        attempt.actor(),
        attempt.provenance());
  }

  /** The pick, its result and its Settlement are one append, so that no crash parts them. */
  private static End picked(Attempt attempt, Part.Call call, List<Part.Call> behind) {
    Pick pick = new Pick(call.name(), call.input());
    List<Event> last = new ArrayList<>();
    last.add(result(attempt, call, Event.Outcome.OK, "picked; the turn is over"));
    last.addAll(notRun(attempt, behind));
    last.add(new Event.Picked(id(attempt), pick, attempt.actor()));
    return new End.Settles(new Settlement.Completed(Optional.of(pick)), last);
  }

  private static List<Event> notRun(Attempt attempt, List<Part.Call> calls) {
    return calls.stream()
        .<Event>map(
            call -> result(attempt, call, Event.Outcome.ERROR, "not run: the Turn was ended"))
        .toList();
  }

  private static Event.ToolReturned result(
      Attempt attempt, Part.Call call, Event.Outcome outcome, String text) {
    return new Event.ToolReturned(
        id(attempt),
        call.callId(),
        outcome,
        text,
        0,
        text.getBytes(StandardCharsets.UTF_8).length,
        false,
        attempt.actor(),
        attempt.provenance());
  }

  /**
   * The calls under ids of the Harness's own: a provider may give one id twice in a conversation.
   */
  private static List<Part.Call> named(Attempt attempt, Reply.Calls reply) {
    List<Part.Call> named = new ArrayList<>();
    long position = attempt.position();
    for (Part.Call call : reply.calls()) {
      named.add(new Part.Call("c-" + position + "-" + named.size(), call.name(), call.input()));
    }
    return named;
  }

  private static String id(Attempt attempt) {
    return attempt.submission().submissionId();
  }
}
