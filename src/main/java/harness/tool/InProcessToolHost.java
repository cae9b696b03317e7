package harness.tool;

import harness.agent.Instance;
import harness.workspace.Handles;
import harness.workspace.PathException;
import harness.workspace.Root;
import harness.workspace.git.CheckedOutBranch;
import harness.workspace.git.PlaceOrder;
import harness.workspace.git.Placed;
import harness.workspace.git.Placement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Runs the tools in this process, each call with a {@link Root} of its own, within its time limit.
 */
final class InProcessToolHost implements ToolHost {
  private final Handles handles;
  private final String readRoot;
  private final Commands commands;
  private final List<WorkingTool> tools;
  private final Workers workers;
  private final InstantSource clock;

  private final List<ToolSpec> specs;

  /**
   * @param readRoot the workspace root, absolute
   * @param clock the time that the logs of branches tell
   */
  InProcessToolHost(
      Handles handles,
      String readRoot,
      Commands commands,
      List<WorkingTool> tools,
      Workers workers,
      InstantSource clock) {
    this.clock = clock;
    this.workers = workers;
    this.handles = handles;
    this.readRoot = readRoot;
    this.commands = commands;
    this.tools = List.copyOf(tools);
    this.specs = tools.stream().map(WorkingTool::spec).toList();
  }

  @Override
  public ToolResult call(ToolCall call, Progress progress) {
    return start(call, progress).await();
  }

  @Override
  public StartedCall start(ToolCall call, Progress progress) {
    Optional<String> refusal = ToolBox.refusal(specs, call);
    if (refusal.isPresent()) {
      return StartedCall.over(ToolResult.failure(refusal.get()));
    }
    WorkingTool tool = tool(call.name());
    // Entered before the look at the interrupt: a release comes after one, and is told to this
    // call.
    Commands.Visit visit = commands.enter(call.instance());
    if (Thread.currentThread().isInterrupted()) {
      visit.close();
      return StartedCall.over(ToolResult.failure(Workers.CANCELLED));
    }
    StartedCall started;
    try {
      started =
          workers.start(call, tool.limit(call.input()), job -> run(tool, job, visit, progress));
    } catch (RuntimeException | Error e) {
      visit.close();
      throw e;
    }
    return new StartedCall(
        started
            .result()
            .thenApply(
                result -> {
                  visit.close();
                  return result;
                }),
        started.cancel());
  }

  private ToolResult run(WorkingTool tool, Job job, Commands.Visit visit, Progress progress) {
    ToolCall call = job.call();
    Progress heard =
        text -> {
          if (!job.left()) {
            progress.output(text);
          }
        };
    try (Root root = job.holds(Root.open(handles, readRoot, call.cwd()))) {
      Seat seat = Seat.of(call, root, visit, heard);
      return Becoming.isDone(seat)
          ? ToolResult.of("the files are as proposed already: nothing was changed")
          : tool.call(call.input(), seat);
    } catch (ToolException e) {
      return ToolResult.failure(message(e));
    } catch (InterruptedException e) {
      return job.cut();
    } catch (IOException e) {
      return failed(job, e);
    } catch (UncheckedIOException e) {
      return failed(job, e);
    } catch (RuntimeException e) {
      return ToolBox.bug(call, e);
    }
  }

  @Override
  public void checkDirectory(String cwd) throws PathException {
    Root.checkDirectory(handles, readRoot, cwd);
  }

  @Override
  public Optional<String> branch(String worktree) throws PathException {
    return CheckedOutBranch.of(handles, readRoot, worktree);
  }

  @Override
  public Placed place(PlaceOrder order) throws IOException, InterruptedException {
    return Placement.run(handles, readRoot, order, clock);
  }

  @Override
  public void release(Instance instance) {
    commands.release(instance);
  }

  @Override
  public void close() {
    workers.close();
    commands.close();
  }

  /**
   * An interrupt closes some files under the reader: that is the Turn's end, no failure of them.
   */
  private static ToolResult failed(Job job, Exception e) {
    if (Thread.currentThread().isInterrupted()) {
      return job.cut();
    }
    return ToolResult.failure(
        e instanceof PathException ? message(e) : job.call().name() + " failed: " + message(e));
  }

  private static String message(Exception e) {
    String message = e.getMessage();
    return message == null ? e.toString() : message;
  }

  private WorkingTool tool(String name) {
    return tools.stream().filter(tool -> tool.spec().name().equals(name)).findFirst().orElseThrow();
  }
}
