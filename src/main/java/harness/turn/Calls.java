package harness.turn;

import harness.conversation.Attempt;
import harness.conversation.EndedException;
import harness.conversation.Event;
import harness.conversation.Settlement;
import harness.conversation.Submission;
import harness.fault.Fault;
import harness.menu.Menu;
import harness.menu.MenuTool;
import harness.menu.Pick;
import harness.model.Part;
import harness.model.Reply;
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
 * Answers the calls of a reply in order: a Working tool's is run, one of the Menu is judged. Each
 * gets a result, whatever happens.
 */
final class Calls {
  private final ToolBox tools;
  private final InstantSource clock;

  Calls(ToolBox tools, InstantSource clock) {
    this.tools = tools;
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
    Menu menu = attempt.submission().picks();
    for (int i = 0; i < calls.size(); i++) {
      Part.Call call = calls.get(i);
      Optional<Fault> circles = watch.call(call);
      if (circles.isPresent()) {
        attempt.append(notRun(attempt, calls.subList(i, calls.size())));
        return circles.map(End::failed);
      }
      Optional<MenuTool> menuTool = menu.find(call.name());
      Optional<String> refusal = menuTool.flatMap(tool -> menu.refusal(tool, call.input()));
      if (menuTool.isPresent() && refusal.isEmpty()) {
        return Optional.of(picked(attempt, call, calls.subList(i + 1, calls.size())));
      }
      Event.ToolReturned returned =
          refusal.isPresent()
              ? result(attempt, call, Event.Outcome.ERROR, refusal.get())
              : run(attempt, call, takesImages);
      watch.returned(returned.text());
      attempt.append(List.of(returned));
    }
    return Optional.empty();
  }

  private Event.ToolReturned run(Attempt attempt, Part.Call call, boolean takesImages)
      throws EndedException {
    Submission submission = attempt.submission();
    String cwd = submission.frame().cwd().orElse("");
    ToolCall toolCall =
        new ToolCall(
            call.callId(),
            call.name(),
            call.input(),
            cwd,
            submission.definition().workspace(),
            attempt.instance(),
            attempt.actor(),
            Seen.of(attempt.seen(), cwd, call.input()));
    Progress progress = text -> attempt.output(call.callId(), text);
    Instant begin = clock.instant();
    ToolResult called = attempt.runTool(() -> tools.call(toolCall, progress));
    ToolResult result = Pictures.kept(called, attempt.imageBytes(), takesImages);
    return new Event.ToolReturned(
        id(attempt),
        call.callId(),
        result.error() ? Event.Outcome.ERROR : Event.Outcome.OK,
        result.text(),
        Duration.between(begin, clock.instant()).toMillis(),
        result.bytes(),
        result.truncated(),
        attempt.actor(),
        result.images(),
        result.seen().versions());
  }

  /** The pick, its result and its Settlement are one append, so that no crash parts them. */
  private static End picked(Attempt attempt, Part.Call call, List<Part.Call> behind) {
    Pick pick = new Pick(call.name(), call.input());
    List<Event> last = new ArrayList<>();
    last.add(result(attempt, call, Event.Outcome.OK, "picked; the turn is over"));
    last.addAll(notRun(attempt, behind));
    last.add(new Event.Picked(id(attempt), pick, attempt.actor()));
    return new End(new Settlement.Completed(Optional.of(pick)), last);
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
        attempt.actor());
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
