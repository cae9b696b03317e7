package harness.tool;

import harness.agent.Instance;
import harness.workspace.Handles;
import harness.workspace.PathException;
import harness.workspace.Root;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Runs the tools in this process, each call with a {@link Root} of its own. */
final class InProcessToolHost implements ToolHost {
  private static final String CANCELLED =
      "cancelled: the Turn was ended while this call ran; what it did until then stays";

  private final Handles handles;
  private final String readRoot;
  private final Commands commands;
  private final List<WorkingTool> tools;

  /**
   * @param readRoot the workspace root, absolute
   */
  InProcessToolHost(Handles handles, String readRoot, Commands commands, List<WorkingTool> tools) {
    this.handles = handles;
    this.readRoot = readRoot;
    this.commands = commands;
    this.tools = List.copyOf(tools);
  }

  @Override
  public ToolResult call(ToolCall call, Progress progress) {
    Optional<String> refusal =
        ToolBox.refusal(tools.stream().map(WorkingTool::spec).toList(), call);
    if (refusal.isPresent()) {
      return ToolResult.failure(refusal.get());
    }
    // Entered before the look at the interrupt: a release comes after one, and is told to this
    // call.
    try (Commands.Visit visit = commands.enter(call.instance())) {
      return onThread(call, visit, progress);
    }
  }

  /**
   * Runs the call on a thread of the platform: tools compute and call the system, which a virtual
   * thread does not yield at, so that a few of them would hold up everything else in the process.
   * Waits for its end also when interrupted: then the call is told, and ends soon.
   */
  private ToolResult onThread(ToolCall call, Commands.Visit visit, Progress progress) {
    if (Thread.currentThread().isInterrupted()) {
      return ToolResult.failure(CANCELLED);
    }
    CompletableFuture<ToolResult> ended = new CompletableFuture<>();
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .name("tool " + call.callId())
            .start(
                () -> {
                  try {
                    ended.complete(run(call, visit, progress));
                  } catch (Error e) {
                    ended.complete(ToolBox.bug(call, e));
                  }
                });
    boolean interrupted = false;
    while (true) {
      try {
        ToolResult result = ended.get();
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
        return result;
      } catch (InterruptedException e) {
        interrupted = true;
        thread.interrupt();
      } catch (ExecutionException e) {
        throw new IllegalStateException("a call ends by a result alone", e);
      }
    }
  }

  private ToolResult run(ToolCall call, Commands.Visit visit, Progress progress) {
    try (Root root = Root.open(handles, readRoot, call.cwd())) {
      if (Thread.currentThread().isInterrupted()) {
        return ToolResult.failure(CANCELLED);
      }
      return tool(call.name()).call(call.input(), Seat.of(call, root, visit, progress));
    } catch (ToolException e) {
      return ToolResult.failure(message(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ToolResult.failure(CANCELLED);
    } catch (IOException e) {
      return failed(call, e);
    } catch (UncheckedIOException e) {
      return failed(call, e);
    } catch (RuntimeException e) {
      return ToolBox.bug(call, e);
    }
  }

  @Override
  public void checkDirectory(String cwd) throws PathException {
    Root.checkDirectory(handles, readRoot, cwd);
  }

  @Override
  public void release(Instance instance) {
    commands.release(instance);
  }

  @Override
  public void close() {
    commands.close();
  }

  /**
   * An interrupt closes some files under the reader: that is the Turn's end, no failure of them.
   */
  private static ToolResult failed(ToolCall call, Exception e) {
    if (Thread.currentThread().isInterrupted()) {
      return ToolResult.failure(CANCELLED);
    }
    return ToolResult.failure(
        e instanceof PathException ? message(e) : call.name() + " failed: " + message(e));
  }

  private static String message(Exception e) {
    String message = e.getMessage();
    return message == null ? e.toString() : message;
  }

  private WorkingTool tool(String name) {
    return tools.stream().filter(tool -> tool.spec().name().equals(name)).findFirst().orElseThrow();
  }
}
