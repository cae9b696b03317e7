package harness.tool;

import harness.agent.Instance;
import harness.workspace.PathException;
import harness.workspace.git.PlaceOrder;
import harness.workspace.git.Placed;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Where Working tools run: in this process, or in a runner beside the workspace. Everything that
 * opens a file that an Agent can write is behind it.
 */
public interface ToolHost extends AutoCloseable {
  /**
   * Runs one call. An unknown tool, a bad argument or a failed operation is a result with {@code
   * error}; an interrupt of the calling thread ends the call soon and is a result too, with the
   * thread's interrupt status kept.
   *
   * @param progress hears what the call puts out while it runs, from any thread
   */
  ToolResult call(ToolCall call, Progress progress);

  /** The same, and who starts it does not wait for it. */
  default StartedCall start(ToolCall call, Progress progress) {
    CompletableFuture<ToolResult> result = new CompletableFuture<>();
    Thread thread =
        Thread.ofVirtual()
            .name("tool call")
            .start(
                () -> {
                  try {
                    result.complete(call(call, progress));
                  } catch (RuntimeException | Error e) {
                    result.complete(ToolBox.bug(call, e));
                  }
                });
    return new StartedCall(result, thread::interrupt);
  }

  /**
   * Finds whether there is a workspace at all.
   *
   * @throws harness.fault.RefusedException where this host is for Agents that need none
   */
  default void checkWorkspace() {}

  /**
   * Checks a Frame's working directory: absolute, normalised, inside the workspace root and there.
   *
   * @throws PathException with a sentence that says which of these fails
   */
  void checkDirectory(String cwd) throws PathException;

  /**
   * Finds the branch that a worktree has checked out; empty where none is.
   *
   * @throws PathException where that is no directory in the workspace
   */
  default Optional<String> branch(String worktree) throws PathException {
    return Optional.empty();
  }

  /**
   * Makes what is missing of a slot of the workspace, from its mirror.
   *
   * @throws IOException with a sentence that says what is in the way
   */
  default Placed place(PlaceOrder order) throws IOException, InterruptedException {
    throw new IOException("this tool host places no repositories");
  }

  /**
   * Ends and forgets what the calls of a conversation left running or lying; none of it is a fault.
   */
  void release(Instance instance);

  /** Ends what runs for all conversations. */
  @Override
  void close();
}
