package harness.store;

import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** One piece of work for a thread of the store, and the caller who waits for its answer. */
final class Pending<T> {
  /**
   * What is asked of the database. It may run again after a rollback, so it changes nothing else.
   */
  interface Work<T> {
    T on(Sqlite sqlite) throws SQLException;
  }

  private final Work<T> work;
  private final long bytes;
  private final CompletableFuture<T> answer = new CompletableFuture<>();
  private Optional<T> result = Optional.empty();

  Pending(Work<T> work, long bytes) {
    this.work = work;
    this.bytes = bytes;
  }

  /** About how much it writes. */
  long bytes() {
    return bytes;
  }

  /** Does the work; the caller goes on waiting. */
  void run(Sqlite sqlite) throws SQLException {
    result = Optional.of(work.on(sqlite));
  }

  /** Hands the result of the last run to the caller. */
  void release() {
    answer.complete(result.orElseThrow());
  }

  void fail(RuntimeException failure) {
    answer.completeExceptionally(failure);
  }

  /** Waits for the answer; an interrupt ends no wait and is kept for the caller. */
  T await() {
    try {
      return answer.join();
    } catch (CompletionException wrapped) {
      if (wrapped.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw wrapped;
    }
  }
}
