package harness.simulation;

import harness.agent.Instance;
import harness.conversation.Limits;
import harness.model.Message;
import harness.model.Part;
import harness.model.Request;
import harness.tool.ToolCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Who is in a model or a tool, in the process that runs, and who may be. */
final class Seats {
  private final Scheduler scheduler;
  private final Law law;
  private final Chance chance;
  private final Witness witness;
  private final Limits limits;
  private final Set<Task> inside = new HashSet<>();
  private final Map<Instance, Integer> releases = new HashMap<>();
  private final Trace trace;
  private boolean stopped;

  Seats(Scheduler scheduler, Law law, Chance chance, Witness witness, Limits limits, Trace trace) {
    this.scheduler = scheduler;
    this.law = law;
    this.chance = chance;
    this.witness = witness;
    this.limits = limits;
    this.trace = trace;
  }

  /** The process is no more, and with it all that was in it. */
  void crash() {
    witness.crash();
    inside.clear();
    stopped = false;
  }

  /** The process was told to end: nothing starts in it any more. */
  void stop() {
    witness.stop();
    stopped = true;
  }

  /** A model is asked for a summary. */
  Fate askedForSummary(Request request) {
    scheduler.me().requireAlive();
    List<Message> messages = request.messages();
    requirePaired(messages);
    int ask = messages.lastIndexOf(LabModel.ASK);
    List<Message> older = messages.subList(0, ask);
    Fate any = law.there(anyOf(older), () -> "a summary is asked for of nobody's " + older);
    Fate fate = law.there(any.past.running(), () -> "a summary is asked for, and nothing runs");
    trace.add(scheduler.nanos(), scheduler.me(), "asks a model for a summary for " + fate);
    enter(fate);
    law.holds(!fate.swept, () -> "a summary is asked for " + fate + ", whose abort was answered");
    fate.past.askedForSummary(older);
    fate.streamed.setLength(0);
    return fate;
  }

  /** Whose prompt is among them, or was summarised. */
  private Optional<Fate> anyOf(List<Message> messages) {
    for (Message message : messages) {
      if (message instanceof Message.User user) {
        String block = user.blocks().getFirst();
        int summary = block.indexOf(LabModel.SUMMARY);
        Optional<Fate> fate =
            witness.byPrompt(
                summary < 0 ? block : block.substring(summary + LabModel.SUMMARY.length()));
        if (fate.isPresent()) {
          return fate;
        }
      }
    }
    return Optional.empty();
  }

  /** A model is asked. */
  Fate asked(Request request) {
    scheduler.me().requireAlive();
    List<Message> messages = request.messages();
    requirePaired(messages);
    Fate fate = law.there(lastAsking(messages), () -> "a model is asked what was never admitted");
    trace.add(scheduler.nanos(), scheduler.me(), "asks a model for " + fate);
    enter(fate);
    law.holds(!fate.swept, () -> "a model is asked for " + fate + ", whose abort was answered");
    if (fate.settlement.isEmpty()) {
      fate.past.asked(messages);
    }
    fate.streamed.setLength(0);
    return fate;
  }

  /** Whose prompt came last: nudges are no prompts. */
  private Optional<Fate> lastAsking(List<Message> messages) {
    Optional<Fate> last = Optional.empty();
    for (Message message : messages) {
      if (message instanceof Message.User user) {
        Optional<Fate> fate = witness.byPrompt(user.blocks().getFirst());
        last = fate.isPresent() ? fate.map(one -> one.leader.orElse(one)) : last;
      }
    }
    return last;
  }

  /** What any provider takes: each call has its one result, right behind it. */
  private void requirePaired(List<Message> messages) {
    List<String> owed = List.of();
    Set<String> ids = new HashSet<>();
    for (Message message : messages) {
      List<String> due = owed;
      owed = List.of();
      switch (message) {
        case Message.User _ -> requireAnswered(due, messages);
        case Message.Assistant said -> {
          requireAnswered(due, messages);
          owed = calls(said);
          law.holds(owed.stream().allMatch(ids::add), () -> "a call id twice in " + messages);
        }
        case Message.Results results -> {
          List<String> got = results.results().stream().map(Message.Result::callId).toList();
          law.holds(got.equals(due), () -> "results of " + got + " and not of " + due + messages);
        }
      }
    }
    requireAnswered(owed, messages);
    law.holds(
        !(messages.getLast() instanceof Message.Assistant),
        () -> "a model is asked to answer itself: " + messages);
  }

  private void requireAnswered(List<String> owed, List<Message> messages) {
    law.holds(owed.isEmpty(), () -> "calls without results: " + owed + " in " + messages);
  }

  private static List<String> calls(Message.Assistant said) {
    List<String> calls = new ArrayList<>();
    for (Part part : said.parts()) {
      if (part instanceof Part.Call call) {
        calls.add(call.callId());
      }
    }
    return calls;
  }

  /** A tool is called. */
  Fate called(ToolCall call) {
    scheduler.me().requireAlive();
    trace.add(scheduler.nanos(), scheduler.me(), "calls " + call.name() + " " + call.callId());
    Past past =
        law.there(
            witness.held(call.instance()), () -> "a call of " + call.instance() + " is not held");
    Fate fate =
        law.there(
            past.caller(call.callId()),
            () -> "the call " + call.callId() + " starts, and is not recorded");
    law.holds(
        past.isOpen(call.callId()) || fate.settlement.isPresent(),
        () -> "the call " + call.callId() + " of " + fate + " starts, and is not open");
    law.holds(!fate.swept, () -> "a tool starts for " + fate + ", whose abort was answered");
    law.holds(
        fate.settlement.isPresent() || past.isSegment(call.actor()),
        () -> call + " does not run as the author of its segment");
    enter(fate);
    witness.toolsRunning(call.instance(), 1);
    return fate;
  }

  void returned(ToolCall call, Fate fate) {
    witness.toolsRunning(call.instance(), -1);
    leave(fate);
  }

  private void enter(Fate fate) {
    law.holds(!stopped, () -> "something starts for " + fate + " in a process that has ended");
    fate.working++;
    inside.add(scheduler.me());
    law.holds(fate.working == 1, () -> fate + " is run twice at once");
    law.holds(inside.size() <= limits.liveTurns(), () -> inside.size() + " Turns are live");
  }

  void leave(Fate fate) {
    fate.working--;
    inside.remove(scheduler.me());
  }

  /** What the calls of a conversation left running is ended: not what a later Turn started. */
  void released(Instance instance) {
    scheduler.me().requireAlive();
    trace.add(scheduler.nanos(), scheduler.me(), "releases " + instance);
    requireNoneRuns(instance);
  }

  void releasedWholly(Instance instance) {
    requireNoneRuns(instance);
    releases.merge(instance, 1, Integer::sum);
  }

  private void requireNoneRuns(Instance instance) {
    law.holds(
        witness.held(instance).flatMap(Past::running).isEmpty(),
        () -> "what runs for " + instance + " is released in the middle of a Turn");
  }

  /** How often what a conversation had left running was ended. */
  int releases(Instance instance) {
    return releases.getOrDefault(instance, 0);
  }

  /** Takes its time, and listens to an interrupt or does not. */
  void wait(String why, Duration longest, boolean deaf) throws InterruptedException {
    if (deaf) {
      scheduler.pause(why, chance.upTo(longest));
    } else {
      scheduler.pauseInterruptibly(why, chance.upTo(longest));
    }
  }
}
