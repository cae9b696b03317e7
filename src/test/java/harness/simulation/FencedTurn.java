package harness.simulation;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import harness.admission.AdmissionRequest;
import harness.admission.AdmissionRequest.Destination;
import harness.agent.Access;
import harness.agent.Address;
import harness.agent.Definition;
import harness.agent.Instance;
import harness.agent.ModelName;
import harness.author.Actor;
import harness.conversation.Delivery;
import harness.conversation.Limits;
import harness.conversation.Settlement;
import harness.menu.Menu;
import harness.model.Model;
import harness.model.Part;
import harness.model.Reply;
import harness.model.Request;
import harness.model.Sink;
import harness.model.Usage;
import harness.tool.FakeToolHost;
import harness.tool.Progress;
import harness.tool.ToolCall;
import harness.tool.ToolHost;
import harness.tool.ToolResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * One Turn that calls two tools and then answers, one that waits behind it, and one step at which
 * something ends it; then two more, on the same connection and on another.
 */
final class FencedTurn {
  /** What ends it. */
  enum Ending {
    ABORT,
    /** Its model or tool fails in a way that burns the conversation. */
    BURN,
    /** Its process is told to end, and goes on for a while. */
    STOP,
    CRASH,
    /** The disk is full for a while. */
    FULL_DISK
  }

  /** Where it is then. */
  enum Place {
    WAITING,
    STARTING,
    IN_ITS_MODEL,
    SAYING,
    IN_A_TOOL,
    RETURNING,
    SETTLING
  }

  private static final Address CODER = Address.of("run-1", "task", "coder");
  private static final Instance INSTANCE = new Instance("coder", CODER.base());
  private static final Duration SOON = Duration.ofMillis(3);

  private final SimulatedProcess.Core core;
  private final int endAt;
  private final Ending ending;
  private final boolean deaf;
  private final Trace trace = new Trace();
  private final Chance chance;
  private final Scheduler scheduler;
  private final Law law;
  private final Witness witness;
  private final Disk disk;
  private final Seats seats;
  private final Callers callers;
  private final SimulatedProcess.Ground ground;
  private Optional<Place> endedAt = Optional.empty();
  private boolean burns;
  private boolean inTool;

  /** Whether the model gave its last reply. */
  private boolean answered;

  private int process;

  /**
   * @param endAt the step at which it is ended
   * @param deaf whether its model and tools listen to no interrupt
   */
  FencedTurn(long seed, int endAt, Ending ending, boolean deaf, SimulatedProcess.Core core) {
    this.core = core;
    this.endAt = endAt;
    this.ending = ending;
    this.deaf = deaf;
    this.chance = new Chance(new SplittableRandom(seed));
    this.scheduler = new Scheduler(chance.random(), trace);
    this.law = new Law(scheduler);
    Limits limits = new Limits(2, 8, 16);
    LabAuthority authority = new LabAuthority(scheduler, chance);
    this.witness = new Witness(law, limits, authority);
    this.disk = new Disk(chance, witness);
    this.seats = new Seats(scheduler, law, chance, witness, limits, trace);
    this.callers =
        new Callers(scheduler, law, witness, seats, disk, authority, trace, new Figures());
    Model model = this::respond;
    this.ground =
        new SimulatedProcess.Ground(
            scheduler, chance, limits, disk, _ -> model, new Tools(), authority);
  }

  Optional<String> run() throws InterruptedException {
    return scheduler.run(this::drive);
  }

  /** Where the Turn was when it was ended; empty where it had ended by itself. */
  Optional<Place> endedAt() {
    return endedAt;
  }

  private void drive() {
    SimulatedProcess running = start();
    call("caller", () -> callers.admit(running, request("first")));
    scheduler.await("for the first", () -> witness.byPrompt("first").isPresent());
    call("caller", () -> callers.admit(running, request("behind")));
    scheduler.await(
        "for the step", () -> scheduler.steps() >= endAt, scheduler.after(Duration.ofMinutes(5)));
    endedAt = place();
    SimulatedProcess after = end(running);
    call("another", () -> callers.admit(after, request("another")));
    scheduler.await(
        "for all", () -> scheduler.count(process) == 0, scheduler.after(Duration.ofHours(1)));
    law.holds(scheduler.count(process) == 0, () -> "there is no end: " + scheduler.tasks());
    law.holds(witness.unsettled().isEmpty(), () -> "not settled: " + witness.unsettled());
    requireCompleted("same");
    requireCompleted("another");
  }

  private void requireCompleted(String prompt) {
    Fate fate = law.there(witness.byPrompt(prompt), () -> prompt + " was never admitted");
    law.holds(
        fate.settlement.orElse(null) instanceof Settlement.Completed,
        () -> "what was admitted after the end: " + fate + " is " + fate.settlement);
  }

  private SimulatedProcess start() {
    SimulatedProcess next = SimulatedProcess.start(++process, ground, core);
    boolean[] ready = new boolean[1];
    call(
        "boot",
        () -> {
          next.conversations().recover();
          ready[0] = true;
        });
    scheduler.await("for the start", () -> ready[0]);
    return next;
  }

  private void call(String name, Runnable body) {
    scheduler.start(process, name, body);
  }

  private static AdmissionRequest request(String prompt) {
    return new AdmissionRequest(
        new Destination.Structural(CODER, true, 0, false),
        new Definition(
            ModelName.parse("lab/one"),
            "You code.",
            Access.WRITE,
            Optional.empty(),
            Definition.Writes.DIRECT,
            List.of()),
        prompt,
        Optional.of("/work/target"),
        Optional.empty(),
        Optional.empty(),
        new Actor.User("alice"),
        List.of(),
        Menu.NONE,
        Delivery.QUEUE,
        Optional.empty());
  }

  /** Ends the Turn, and then admits the next one on the same connection. */
  private SimulatedProcess end(SimulatedProcess running) {
    trace.add(scheduler.nanos(), scheduler.me(), "ends it by " + ending + " in " + endedAt);
    switch (ending) {
      case ABORT ->
          meanwhile(
              () -> {
                callers.abort(running, INSTANCE);
                callers.admit(running, request("same"));
              });
      case BURN -> {
        burns = true;
        scheduler.await(
            "for the burn", () -> witness.isBurned(INSTANCE) || witness.unsettled().isEmpty());
        burns = false;
        meanwhile(() -> callers.admit(running, request("same")));
      }
      case STOP -> {
        meanwhile(
            () -> {
              running.admissions().drain();
              running.conversations().stop();
              seats.stop();
            });
        scheduler.pause("for what goes on", chance.upTo(Duration.ofSeconds(1)));
        return again();
      }
      case CRASH -> {
        return again();
      }
      case FULL_DISK -> {
        disk.become(Disk.Mood.FULL);
        scheduler.pause("for room", chance.upTo(Duration.ofSeconds(3)));
        disk.become(Disk.Mood.WELL);
        meanwhile(() -> callers.admit(running, request("same")));
      }
    }
    return running;
  }

  private SimulatedProcess again() {
    scheduler.kill(process);
    disk.crash();
    seats.crash();
    witness.requireKept(disk.committed());
    SimulatedProcess next = start();
    meanwhile(() -> callers.admit(next, request("same")));
    return next;
  }

  private void meanwhile(Runnable act) {
    boolean[] done = new boolean[1];
    call(
        "ender",
        () -> {
          act.run();
          done[0] = true;
        });
    scheduler.await("for the end", () -> done[0]);
  }

  private Optional<Place> place() {
    Fate first = witness.byPrompt("first").orElseThrow();
    if (first.settlement.isPresent()) {
      return Optional.empty();
    }
    boolean writes = disk.isWriting();
    if (!first.started) {
      return Optional.of(writes ? Place.STARTING : Place.WAITING);
    }
    if (inTool) {
      return Optional.of(Place.IN_A_TOOL);
    }
    if (first.working > 0) {
      return Optional.of(Place.IN_ITS_MODEL);
    }
    return answered
        ? Optional.of(Place.SETTLING)
        : first.past.hasOpenCalls() ? Optional.of(Place.RETURNING) : Optional.of(Place.SAYING);
  }

  /** Calls two tools, and answers once it has their results. */
  private Reply respond(Request request, Sink sink) throws InterruptedException {
    Fate fate = seats.asked(request);
    try {
      for (int pieces = 0; pieces < 3; pieces++) {
        String piece = "word" + pieces + " ";
        fate.streamed.append(piece);
        sink.text(piece);
        seats.wait("for its model", SOON, deaf);
        requireSound();
      }
      Part text = new Part.Text(fate.streamed.toString());
      if (!fate.recorded.isEmpty()) {
        answered = true;
        return new Reply.Text(List.of(text), Usage.NONE);
      }
      Part read =
          new Part.Call("1", "read", JsonNodeFactory.instance.objectNode().put("path", "a"));
      Part list =
          new Part.Call("2", "list", JsonNodeFactory.instance.objectNode().put("path", "b"));
      return new Reply.Calls(List.of(text, read, list), Usage.NONE);
    } finally {
      seats.leave(fate);
    }
  }

  private void requireSound() {
    if (burns) {
      throw new StackOverflowError(LabModel.PLANNED);
    }
  }

  private final class Tools implements ToolHost {
    @Override
    public ToolResult call(ToolCall call, Progress progress) {
      Fate fate = seats.called(call);
      inTool = true;
      try {
        seats.wait("for its tool", SOON, deaf);
        requireSound();
        return FakeToolHost.text("done");
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        return FakeToolHost.error("interrupted");
      } finally {
        inTool = false;
        seats.returned(call, fate);
      }
    }

    @Override
    public void checkDirectory(String cwd) {}

    @Override
    public void release(Instance instance) {
      seats.released(instance);
      scheduler.pause("for the end of what was left running", chance.upTo(SOON));
      seats.releasedWholly(instance);
    }

    @Override
    public void close() {}
  }
}
