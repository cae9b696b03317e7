package harness.turn;

import harness.agent.Definition;
import harness.agent.Instance;
import harness.author.Actor;
import harness.author.Authority;
import harness.author.Permission;
import harness.author.Principal;
import harness.briefing.Briefing;
import harness.briefing.TurnFacts;
import harness.conversation.Attempt;
import harness.conversation.EndedException;
import harness.conversation.Event;
import harness.conversation.News;
import harness.conversation.Settlement;
import harness.conversation.Submission;
import harness.conversation.Turns;
import harness.fault.Fault;
import harness.fault.FaultClass;
import harness.fault.RefusedException;
import harness.menu.Menu;
import harness.menu.MenuTool;
import harness.model.Model;
import harness.model.ModelException;
import harness.model.Models;
import harness.model.Reply;
import harness.model.Request;
import harness.model.Sink;
import harness.model.ToolOffer;
import harness.tool.ToolBox;
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
  private final Authority authority;
  private final Calls calls;

  /**
   * @param authority who may start Turns and have tools run for them
   */
  public TurnLoop(
      Models models,
      ToolBox tools,
      Briefing briefing,
      Budget budget,
      Authority authority,
      InstantSource clock) {
    this.models = models;
    this.tools = tools;
    this.briefing = briefing;
    this.budget = budget;
    this.authority = authority;
    this.calls = new Calls(tools, authority, clock);
  }

  @Override
  public Optional<String> briefing(Submission submission, Asides asides) {
    return briefing.turnPart(
        new TurnFacts(
            strange(submission.author(), asides.owner()),
            submission.frame().cwd(),
            submission.notices(),
            news(asides.news()),
            submission.menu().map(Menu::allowed)));
  }

  /** An author whose word is not the owner's; the orchestrator's own needs no mark. */
  private static Optional<String> strange(Actor author, Optional<Actor> owner) {
    return author instanceof Actor.System
        ? Optional.empty()
        : owner
            .filter(one -> !Principal.same(one, author))
            .map(one -> author.participant() + ", and not by " + one.participant());
  }

  private static List<String> news(News news) {
    List<String> sentences = new ArrayList<>();
    news.memory()
        .map(
            one ->
                "memory ran out in the call "
                    + one.callId()
                    + " (peak "
                    + one.peak()
                    + " of "
                    + one.limit()
                    + " bytes); use fewer workers")
        .ifPresent(sentences::add);
    news.resolved().stream().map(TurnLoop::sentence).forEach(sentences::add);
    return sentences;
  }

  private static String sentence(Event.ProposalResolved resolved) {
    return "your proposal "
        + resolved.callId()
        + " for "
        + resolved.path()
        + switch (resolved.decision()) {
          case ACCEPT -> " was accepted by ";
          case REJECT -> " was rejected by ";
        }
        + resolved.author().participant()
        + resolved.note().map(note -> ", who says: " + note).orElse("");
  }

  @Override
  public boolean permits(Actor actor, Permission permission, Instance instance) {
    return authority.permits(actor, permission, instance);
  }

  @Override
  public boolean ready(Submission submission) {
    try {
      return models.find(submission.dials()).ready();
    } catch (RefusedException _) {
      // Its Turn says so.
      return true;
    }
  }

  @Override
  public void release(Instance instance) {
    tools.release(instance);
  }

  @Override
  public Outcome run(Attempt attempt) throws EndedException, InterruptedException {
    Reroll reroll = new Reroll(budget.rerolls(), attempt.rerolls());
    try {
      End end = play(attempt);
      while (reroll.follows(end, attempt)) {
        end = play(attempt);
      }
      return ending(attempt, end);
    } catch (ModelException e) {
      return ending(attempt, End.failed(new Fault(FaultClass.INFRA, e.getMessage())));
    } catch (RefusedException e) {
      return ending(attempt, End.failed(new Fault(FaultClass.INFRA, e.refusal().message())));
    }
  }

  private static Outcome ending(Attempt attempt, End end) {
    return switch (end) {
      case End.Settles(Settlement settlement, List<Event> last) ->
          new Ending(settlement, attempt.usage(), last);
      case End.Pauses(Event.AwaitingAnswer on) -> new Pause(on);
    };
  }

  /** One try at the Turn, until its model ends it or something must. */
  private End play(Attempt attempt) throws ModelException, EndedException, InterruptedException {
    Model model = models.find(attempt.submission().dials());
    Watch watch = new Watch(budget, attempt.pauses());
    Nudge nudge = new Nudge(briefing, budget.nudges(), attempt.nudges());
    Compaction compaction =
        new Compaction(model, attempt, briefing, (asked, sink) -> ask(model, attempt, asked, sink));
    Optional<End> resumed = calls.goOn(attempt, watch, model.takesImages());
    if (resumed.isPresent()) {
      return resumed.get();
    }
    while (true) {
      Optional<Fault> endless = watch.step();
      if (endless.isPresent()) {
        return End.failed(endless.get());
      }
      attempt.takeRiders();
      Reply reply = compaction.reply(() -> request(attempt));
      Optional<End> end =
          switch (reply) {
            case Reply.Text text -> nudge.unlessOver(attempt, Said.of(attempt, text, false));
            case Reply.Cut cut -> {
              attempt.append(Said.of(attempt, cut, true));
              yield Optional.of(End.failed(lengthLimit(attempt)));
            }
            case Reply.Calls made -> calls.answer(attempt, made, watch, model.takesImages());
          };
      if (end.isPresent()) {
        return end.get();
      }
    }
  }

  /** Every request of every Turn is made here. */
  private static Reply ask(Model model, Attempt attempt, Request request, Sink sink)
      throws ModelException, EndedException, InterruptedException {
    attempt.nextReply();
    Reply reply = model.respond(request, sink);
    attempt.used(reply.usage());
    return reply;
  }

  private Request request(Attempt attempt) {
    Definition definition = attempt.submission().definition();
    Menu menu = attempt.submission().picks();
    List<ToolOffer> offers =
        new ArrayList<>(tools.offers(definition.workspace(), definition.writes()));
    menu.tools().forEach(one -> offers.add(offer(one)));
    return new Request(
        definition.instructions()
            + "\n\n"
            + briefing.standing(definition.workspace(), menu.hasTools()),
        offers,
        attempt.messages(),
        attempt.submission().dials().thinkingLevel());
  }

  private static ToolOffer offer(MenuTool tool) {
    return new ToolOffer(tool.name(), tool.description(), tool.schema());
  }

  private static Fault lengthLimit(Attempt attempt) {
    return new Fault(
        FaultClass.INFRA,
        "the reply of "
            + attempt.submission().dials().model()
            + " was cut by its length limit; raise the provider's max-tokens or ask for less");
  }
}
