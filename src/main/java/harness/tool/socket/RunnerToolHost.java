package harness.tool.socket;

import harness.agent.Instance;
import harness.fault.Refusal;
import harness.fault.RefusedException;
import harness.tool.Progress;
import harness.tool.StartedCall;
import harness.tool.Timers;
import harness.tool.ToolCall;
import harness.tool.ToolHost;
import harness.tool.ToolResult;
import harness.tool.ToolSpec;
import harness.tool.Waiting;
import harness.tool.WorkingTools;
import harness.workspace.PathException;
import harness.workspace.git.PlaceOrder;
import harness.workspace.git.Placed;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Tools that run in a runner, which is reached over a Unix socket when it is needed, and again when
 * the connection has ended. A call that was running by then has an unknown effect and says so;
 * calls that come while there is no runner wait a while for it. Whatever the runner does, a call is
 * answered within its limit and a bound beyond it.
 */
public final class RunnerToolHost implements ToolHost {
  private static final System.Logger LOG = System.getLogger(RunnerToolHost.class.getName());
  private static final String UNKNOWN_EFFECT =
      "; whether it took effect is not known. Look before you repeat it.";
  private static final String CANCELLED =
      "cancelled: the Turn was ended while this call ran; what it did until then stays";
  private static final String NOT_BEGUN = "cancelled: the Turn was ended before this call ran";
  private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

  /** How long a checkout may take. */
  private static final Duration PLACE_TIME = Duration.ofMinutes(20);

  /** How many connections one request is tried on that end before the runner has it. */
  private static final int MAX_CONNECTIONS = 3;

  /** Conversations that a runner is told of later that they need nothing more. */
  private static final int MAX_UNTOLD = 1_024;

  private final RunnerConnector runner;
  private final Timing timing;
  private final Timers timers;
  private final Function<ToolCall, Duration> longest;

  /** Under this lock what is untold is told too, so that no call comes before it. */
  private final Set<Instance> untold = new LinkedHashSet<>();

  /** What was told late and is not known to be done. */
  private final Map<Instance, RunnerLink.Sent> telling = new HashMap<>();

  RunnerToolHost(
      Path socket,
      String readRoot,
      List<ToolSpec> specs,
      Function<ToolCall, Duration> longest,
      Timing timing,
      InstantSource clock) {
    this.timers = new Timers(clock);
    this.runner = new RunnerConnector(socket, readRoot, specs, timing, timers);
    this.longest = longest;
    this.timing = timing;
  }

  /**
   * The host behind a socket; nothing is connected yet.
   *
   * @param socket absolute
   * @param readRoot the workspace root, which has to be the runner's too
   * @param clock what limits are measured by
   */
  public static RunnerToolHost at(Path socket, String readRoot, InstantSource clock) {
    return new RunnerToolHost(
        socket, readRoot, WorkingTools.specs(), WorkingTools::longest, Timing.USUAL, clock);
  }

  @Override
  public ToolResult call(ToolCall call, Progress progress) {
    if (Thread.currentThread().isInterrupted()) {
      return ToolResult.failure(NOT_BEGUN);
    }
    try {
      for (int connection = 0; connection < MAX_CONNECTIONS; connection++) {
        RunnerLink link = link(timing.callTries());
        if (!released(link, call.instance())) {
          continue;
        }
        Optional<RunnerLink.Sent> sent =
            link.ask(id -> new Request.Call(id, call), Asked.call(progress));
        if (sent.isPresent()) {
          return answer(link, sent.get(), call);
        }
      }
      return notRun(
          call,
          runner.place()
              + " ends each connection before it takes the call, or does not end what an earlier"
              + " Turn left running");
    } catch (UnreachableException | IOException e) {
      return notRun(call, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ToolResult.failure(NOT_BEGUN);
    }
  }

  private static ToolResult notRun(ToolCall call, String why) {
    return ToolResult.failure(call.name() + " did not run: " + why);
  }

  private ToolResult answer(RunnerLink link, RunnerLink.Sent sent, ToolCall call) {
    Duration time = longest.apply(call).plus(timing.late());
    CompletableFuture<ToolResult> result =
        sent.asked().answer().thenApply(answer -> result(link, sent, call, answer));
    Timers.Timer timer = timers.start(time, () -> giveUp(link, sent, result, late(call, time)));
    Runnable cancel =
        () -> {
          link.cancel(sent);
          timers.start(timing.cancel(), () -> giveUp(link, sent, result, CANCELLED));
        };
    ToolResult ended = new StartedCall(result, cancel).await();
    timer.stop();
    return ended;
  }

  private static void giveUp(
      RunnerLink link, RunnerLink.Sent sent, CompletableFuture<ToolResult> result, String why) {
    if (result.complete(ToolResult.failure(why))) {
      link.giveUp(sent);
    }
  }

  private String late(ToolCall call, Duration time) {
    return runner.place()
        + " did not answer "
        + call.name()
        + " within "
        + time.toMillis() / 1000.0
        + " s"
        + UNKNOWN_EFFECT;
  }

  private ToolResult result(
      RunnerLink link, RunnerLink.Sent sent, ToolCall call, Optional<Answer.Last> answer) {
    if (answer.isPresent() && answer.get() instanceof Answer.Returned(long _, ToolResult result)) {
      return result;
    }
    String why =
        "the connection to "
            + runner.place()
            + " ended while "
            + call.name()
            + " ran ("
            + link.ended().orElse(Link.GONE)
            + ")"
            + UNKNOWN_EFFECT;
    return sent.asked()
        .peak()
        .filter(peak -> link.vanished() && peak.near())
        .map(peak -> peak.result("; " + why))
        .orElseGet(() -> ToolResult.failure(why));
  }

  @Override
  public void checkDirectory(String cwd) throws PathException {
    switch (ask(timing.checkTries(), id -> new Request.Check(id, cwd), Asked::check)) {
      case Answer.Refused refused -> throw new PathException(refused.kind(), refused.message());
      case Answer.Last _ -> {}
    }
  }

  @Override
  public Optional<String> branch(String worktree) throws PathException {
    return switch (ask(
        timing.checkTries(), id -> new Request.Branch(id, worktree), Asked::branch)) {
      case Answer.Refused refused -> throw new PathException(refused.kind(), refused.message());
      case Answer.Branch(long _, String name) -> Optional.of(name).filter(text -> !text.isEmpty());
      case Answer.Last _ -> Optional.empty();
    };
  }

  @Override
  public Placed place(PlaceOrder order) throws IOException, InterruptedException {
    for (int connection = 0; connection < MAX_CONNECTIONS; connection++) {
      RunnerLink link = placing();
      Optional<RunnerLink.Sent> sent = link.ask(id -> new Request.Place(id, order), Asked.place());
      if (sent.isPresent()) {
        return placed(link, sent.get());
      }
    }
    throw new IOException(runner.place() + " ends each connection before it takes a slot");
  }

  private RunnerLink placing() throws IOException, InterruptedException {
    try {
      return link(timing.callTries());
    } catch (UnreachableException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private Placed placed(RunnerLink link, RunnerLink.Sent sent)
      throws IOException, InterruptedException {
    boolean answered = false;
    try {
      var answer = Waiting.within(sent.asked().answer(), PLACE_TIME);
      answered = answer.isPresent();
      return switch (answer.flatMap(last -> last).orElse(new Answer.Done(sent.id()))) {
        case Answer.Placed(long _, Placed placed) -> placed;
        case Answer.NotPlaced(long _, String message) -> throw new IOException(message);
        case Answer.Last _ ->
            throw new IOException(
                runner.place()
                    + (answered
                        ? " went away while it made a slot; attach again"
                        : " did not make a slot within " + PLACE_TIME.toMinutes() + " minutes"));
      };
    } finally {
      if (!answered) {
        link.giveUp(sent);
      }
    }
  }

  private interface Question {
    Asked asked();
  }

  /** Asks what may be asked twice; refuses the request where there is no answer. */
  private Answer.Last ask(int tries, RunnerLink.Numbered request, Question question) {
    String why = runner.place() + " ends each connection before it answers";
    try {
      for (int connection = 0; connection < MAX_CONNECTIONS; connection++) {
        RunnerLink link = link(tries);
        Optional<RunnerLink.Sent> sent = link.ask(request, question.asked());
        if (sent.isPresent()) {
          var answer = Waiting.within(sent.get().asked().answer(), timing.answer());
          if (answer.isEmpty()) {
            link.giveUp(sent.get());
            throw unable(
                runner.place() + " did not answer within " + timing.answer().toSeconds() + " s");
          }
          if (answer.get().isPresent()) {
            return answer.get().get();
          }
        }
      }
    } catch (UnreachableException | IOException e) {
      why = String.valueOf(e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      why = "interrupted while " + runner.place() + " was asked";
    }
    throw unable(why);
  }

  private static RefusedException unable(String why) {
    return new RefusedException(new Refusal.NoToolHost(why + "; send it again later", RETRY_AFTER));
  }

  /** The connection, whose runner has been told what it could not be told before. */
  private RunnerLink link(int tries) throws UnreachableException, InterruptedException {
    RunnerLink link = runner.link(tries);
    synchronized (untold) {
      List<Instance> all = List.copyOf(untold);
      untold.clear();
      for (Instance instance : all) {
        tell(link, instance).ifPresent(sent -> telling.put(instance, sent));
      }
    }
    return link;
  }

  /**
   * Waits until what was told late of a conversation is done: it would end what the next call
   * starts too.
   *
   * @return false where that is not known; it is told again then
   */
  private boolean released(RunnerLink link, Instance instance) throws InterruptedException {
    Optional<RunnerLink.Sent> told;
    synchronized (untold) {
      told = Optional.ofNullable(telling.get(instance));
    }
    if (told.isEmpty()) {
      return true;
    }
    RunnerLink.Sent sent = told.get();
    Optional<Optional<Answer.Last>> answer = Waiting.within(sent.asked().answer(), timing.answer());
    synchronized (untold) {
      if (telling.remove(instance, sent) && answer.flatMap(done -> done).isEmpty()) {
        later(instance);
      }
    }
    if (answer.isEmpty()) {
      link.giveUp(sent);
    }
    return answer.flatMap(done -> done).isPresent();
  }

  private void later(Instance instance) {
    synchronized (untold) {
      if (untold.size() == MAX_UNTOLD) {
        untold.remove(untold.iterator().next());
      }
      untold.add(instance);
    }
  }

  /** A runner that can't be told now is told when there is a connection again. */
  @Override
  public void release(Instance instance) {
    try {
      RunnerLink link = link(1);
      Optional<RunnerLink.Sent> sent = tell(link, instance);
      if (sent.isPresent() && !settled(link, sent.get())) {
        later(instance);
      }
    } catch (UnreachableException e) {
      later(instance);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      later(instance);
    }
  }

  private Optional<RunnerLink.Sent> tell(RunnerLink link, Instance instance) {
    Optional<RunnerLink.Sent> sent = Optional.empty();
    try {
      sent = link.ask(id -> new Request.Release(id, instance), Asked.other());
      return sent;
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "a release waits for its turn", e);
      return sent;
    } finally {
      if (sent.isEmpty()) {
        later(instance);
      }
    }
  }

  private boolean settled(RunnerLink link, RunnerLink.Sent sent) {
    Optional<Optional<Answer.Last>> answer =
        Waiting.uninterrupted(sent.asked().answer(), timing.answer());
    if (answer.isEmpty()) {
      link.giveUp(sent);
    }
    return answer.isPresent() && answer.get().isPresent();
  }

  /** Lets the runner end what runs for this Harness, where there is a connection to tell it. */
  @Override
  public void close() {
    try {
      Optional<RunnerLink> link = runner.current();
      if (link.isPresent()) {
        Optional<RunnerLink.Sent> sent = link.get().ask(Request.End::new, Asked.other());
        if (sent.isPresent()) {
          boolean _ = settled(link.get(), sent.get());
        }
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "the runner ends what runs once nobody comes back", e);
    } finally {
      runner.close();
    }
  }
}
