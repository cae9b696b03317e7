package harness.tool;

import harness.workspace.Root;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A call on its way through a thread that others use before and after it: an interrupt that is
 * meant for it reaches no other, and once it is left behind it opens nothing more.
 */
final class Job {
  private final ToolCall call;
  private final CompletableFuture<ToolResult> result = new CompletableFuture<>();
  private Optional<Thread> thread = Optional.empty();
  private Optional<Root> root = Optional.empty();
  private Optional<String> told = Optional.empty();
  private boolean left;
  private boolean over;

  Job(ToolCall call) {
    this.call = call;
  }

  ToolCall call() {
    return call;
  }

  /** Its result, once there is one. */
  CompletableFuture<ToolResult> result() {
    return result;
  }

  /** The calling thread runs it from now on; false where it was told to end before. */
  synchronized boolean begin() {
    if (told.isPresent()) {
      return false;
    }
    thread = Optional.of(Thread.currentThread());
    return true;
  }

  /**
   * Tells it to end, and why; the first reason counts.
   *
   * @return whether it runs and has to be waited for
   */
  boolean tell(String why) {
    synchronized (this) {
      if (over || told.isPresent()) {
        return false;
      }
      told = Optional.of(why);
      if (thread.isPresent()) {
        thread.get().interrupt();
        return true;
      }
      over = true;
    }
    result.complete(ToolResult.failure(why));
    return false;
  }

  /** What a call answers that was told to end, and did. */
  synchronized ToolResult cut() {
    return ToolResult.failure(told.orElse(Workers.CANCELLED));
  }

  /**
   * Takes in what its thread opens files by, to be closed under it where it is left behind.
   *
   * @throws InterruptedException where it was told to end
   */
  synchronized Root holds(Root opened) throws InterruptedException {
    if (told.isPresent()) {
      opened.close();
      throw new InterruptedException();
    }
    root = Optional.of(opened);
    return opened;
  }

  /** Nobody waits for it any more; false where it is over already. */
  synchronized boolean leave() {
    if (over) {
      return false;
    }
    over = true;
    left = true;
    root.ifPresent(Root::close);
    return true;
  }

  synchronized boolean left() {
    return left;
  }

  /** Its thread is done with it and has no interrupt left that was meant for it. */
  void done(ToolResult answer) {
    synchronized (this) {
      over = true;
      thread = Optional.empty();
      boolean _ = Thread.interrupted();
    }
    result.complete(answer);
  }
}
