package harness.model.http;

import harness.model.ModelException;
import harness.model.ModelException.Kind;
import harness.model.Reply;
import harness.model.Sleeper;
import io.github.resilience4j.core.functions.Either;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Makes a call again where that may help. What decides is resilience4j's; the waiting is done here,
 * because its own would swallow an interrupt.
 */
final class Retries {
  /** One attempt. */
  interface Attempt {
    Reply run() throws AttemptException, InterruptedException;
  }

  private final RetryPolicy policy;
  private final Retry retry;
  private final Sleeper sleeper;
  private final RandomGenerator random;
  private final Consumer<Kind> watch;

  /**
   * @param watch hears what failed where another attempt is made
   */
  Retries(
      String name,
      RetryPolicy policy,
      Sleeper sleeper,
      RandomGenerator random,
      Consumer<Kind> watch) {
    this.watch = watch;
    this.policy = policy;
    this.sleeper = sleeper;
    this.random = random;
    this.retry =
        Retry.of(
            name,
            RetryConfig.<Reply>custom()
                .maxAttempts(policy.attempts())
                .retryOnException(this::mayHelp)
                .intervalBiFunction(this::waitMillis)
                .build());
  }

  /**
   * Makes the attempts, all of them and the waits between within the time.
   *
   * @param time what the call has taken so far
   */
  Reply run(RunningTime time, Duration atMost, Attempt attempt)
      throws ModelException, InterruptedException {
    Retry.AsyncContext<Reply> context = retry.asyncContext();
    for (int attempts = 1; ; attempts++) {
      try {
        Reply reply = attempt.run();
        context.onComplete();
        return reply;
      } catch (AttemptException e) {
        long waitMillis = context.onError(e);
        if (waitMillis < 0) {
          throw e.afterAttempts(attempts, unobeyed(e));
        }
        Duration wait = Duration.ofMillis(waitMillis);
        if (time.elapsed().plus(wait).compareTo(atMost) >= 0) {
          throw e.afterAttempts(attempts, "; no time is left to try again");
        }
        watch.accept(e.kind());
        sleeper.sleep(wait);
        time.waited(wait);
      }
    }
  }

  private boolean mayHelp(Throwable failure) {
    return failure instanceof AttemptException attempt
        && attempt.retryable()
        && !asksForTooMuch(attempt);
  }

  private boolean asksForTooMuch(AttemptException failure) {
    Optional<Duration> asked = failure.retryAfter();
    return asked.isPresent() && asked.get().compareTo(policy.longestRetryAfter()) > 0;
  }

  private String unobeyed(AttemptException failure) {
    return failure.retryable() && asksForTooMuch(failure)
        ? "; it asks to be left alone for "
            + failure.retryAfter().orElseThrow().toSeconds()
            + " s, longer than a call waits"
        : "";
  }

  /**
   * What was asked for, or what doubled so far; from half of a wait on at random, so that many
   * Turns do not come back at once.
   */
  private long waitMillis(int attempt, Either<Throwable, Reply> failure) {
    long doubled = policy.firstWait().toMillis();
    long longest = policy.longestWait().toMillis();
    for (int i = 1; i < attempt && doubled < longest; i++) {
      doubled = Math.min(doubled * 2, longest);
    }
    long jitter = random(doubled / 2 + 1);
    Optional<Duration> asked =
        failure.isLeft() && failure.getLeft() instanceof AttemptException e
            ? e.retryAfter()
            : Optional.empty();
    return asked.isPresent() ? asked.get().toMillis() + jitter : doubled - jitter;
  }

  private long random(long bound) {
    synchronized (random) {
      return random.nextLong(bound);
    }
  }
}
