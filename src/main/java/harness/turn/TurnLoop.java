package harness.turn;

import harness.agent.Definition;
import harness.agent.Instance;
import harness.briefing.Briefing;
import harness.conversation.Attempt;
import harness.conversation.EndedException;
import harness.conversation.Event;
import harness.conversation.Settlement;
import harness.conversation.Submission;
import harness.conversation.Turns;
import harness.fault.Fault;
import harness.fault.FaultClass;
import harness.fault.RefusedException;
import harness.model.Model;
import harness.model.ModelException;
import harness.model.Models;
import harness.model.Part;
import harness.model.Reply;
import harness.model.Request;
import harness.model.Usage;
import harness.tool.Progress;
import harness.tool.Seen;
import harness.tool.ToolBox;
import harness.tool.ToolCall;
import harness.tool.ToolResult;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Asks the model, appends what it said, runs its calls, appends what they returned, and again. */
public final class TurnLoop implements Turns {
  private final Models models;
  private final ToolBox tools;
  private final Briefing briefing;
  private final Budget budget;
  private final InstantSource clock;

  public TurnLoop(
      Models models, ToolBox tools, Briefing briefing, Budget budget, InstantSource clock) {
    this.models = models;
    this.tools = tools;
    this.briefing = briefing;
    this.budget = budget;
    this.clock = clock;
  }

  @Override
  public Optional<String> briefing(Submission submission) {
    return briefing.turnPart(submission.frame().cwd(), submission.notices());
  }

  @Override
  public void release(Instance instance) {
    tools.release(instance);
  }

  @Override
  public Ending run(Attempt attempt) throws EndedException, InterruptedException {
    Watch watch = new Watch(budget);
    Usage usage = Usage.NONE;
    try {
      Model model = models.find(attempt.submission().dials());
      while (true) {
        Optional<Fault> endless = watch.step();
        if (endless.isPresent()) {
          return new Ending(Settlement.failed(endless.get()), usage);
        }
        attempt.nextReply();
        Reply reply = model.respond(request(attempt), attempt.sink());
        usage = usage.plus(reply.usage());
        switch (reply) {
          case Reply.Text text -> {
            attempt.append(said(attempt, text, false));
            return new Ending(new Settlement.Completed(), usage);
          }
          case Reply.Cut cut -> {
            attempt.append(said(attempt, cut, true));
            return new Ending(Settlement.failed(lengthLimit(attempt)), usage);
          }
          case Reply.Calls calls -> {
            Optional<Fault> circles = answer(attempt, calls, watch, model.takesImages());
            if (circles.isPresent()) {
              return new Ending(Settlement.failed(circles.get()), usage);
            }
          }
        }
      }
    } catch (ModelException e) {
      return new Ending(Settlement.failed(new Fault(FaultClass.INFRA, e.getMessage())), usage);
    } catch (RefusedException e) {
      return new Ending(
          Settlement.failed(new Fault(FaultClass.INFRA, e.refusal().message())), usage);
    }
  }

  private Request request(Attempt attempt) {
    Definition definition = attempt.submission().definition();
    return new Request(
        definition.instructions() + "\n\n" + briefing.standing(definition.workspace()),
        tools.offers(definition.workspace()),
        attempt.messages(),
        attempt.submission().dials().thinkingLevel());
  }

  /** Runs the calls in order; each gets a result, whatever happens. */
  private Optional<Fault> answer(
      Attempt attempt, Reply.Calls reply, Watch watch, boolean takesImages) throws EndedException {
    List<Part.Call> calls = named(attempt, reply);
    List<Event> events = new ArrayList<>(said(attempt, reply, false));
    for (Part.Call call : calls) {
      events.add(
          new Event.ToolCalled(
              id(attempt), call.callId(), call.name(), call.input(), attempt.actor()));
    }
    attempt.append(events);
    Optional<Fault> circles = Optional.empty();
    for (Part.Call call : calls) {
      circles = circles.isPresent() ? circles : watch.call(call);
      if (circles.isPresent()) {
        attempt.append(List.of(notRun(attempt, call)));
      } else {
        Event.ToolReturned returned = run(attempt, call, takesImages);
        watch.returned(returned.text());
        attempt.append(List.of(returned));
      }
    }
    return circles;
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

  private static Event notRun(Attempt attempt, Part.Call call) {
    return new Event.ToolReturned(
        id(attempt),
        call.callId(),
        Event.Outcome.ERROR,
        "not run: the Turn was ended",
        0,
        0,
        false,
        attempt.actor());
  }

  /** What was said beside calls; nothing where it was calls alone. */
  private static List<Event> said(Attempt attempt, Reply reply, boolean cut) {
    List<Part> parts = reply.parts().stream().filter(part -> !(part instanceof Part.Call)).toList();
    return parts.isEmpty()
        ? List.of()
        : List.of(
            new Event.ReplyAppended(
                id(attempt),
                "m-" + attempt.position(),
                parts,
                cut,
                reply.usage(),
                attempt.actor()));
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

  private static Fault lengthLimit(Attempt attempt) {
    return new Fault(
        FaultClass.INFRA,
        "the reply of "
            + attempt.submission().dials().model()
            + " was cut by its length limit; raise the provider's max-tokens or ask for less");
  }

  private static String id(Attempt attempt) {
    return attempt.submission().submissionId();
  }
}
