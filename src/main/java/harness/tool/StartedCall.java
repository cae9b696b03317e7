package harness.tool;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/**
 * A call that runs.
 *
 * @param result its result, which comes within its time limit and a bound beyond it
 * @param cancel tells it to end; its result then comes soon
 */
public record StartedCall(CompletableFuture<ToolResult> result, Runnable cancel) {
  /** One that is over. */
  static StartedCall over(ToolResult result) {
    return new StartedCall(CompletableFuture.completedFuture(result), () -> {});
  }

  /** The same, and someone hears the result before whoever waits for it. */
  public StartedCall whenEnded(Consumer<ToolResult> ear) {
    return new StartedCall(
        result.thenApply(
            ended -> {
              ear.accept(ended);
              return ended;
            }),
        cancel);
  }

  /** Waits for the result; an interrupt of the calling thread cancels the call and is kept. */
  public ToolResult await() {
    boolean interrupted = false;
    while (true) {
      try {
        ToolResult ended = result.get();
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
        return ended;
      } catch (InterruptedException e) {
        interrupted = true;
        cancel.run();
      } catch (ExecutionException e) {
        throw new IllegalStateException("a call ends by a result alone", e);
      }
    }
  }
}
