package harness.model.http;

import harness.model.ModelException.Kind;
import harness.model.ModelWatch;
import harness.model.ModelWatch.Wait;
import harness.model.Reply;
import harness.model.Surroundings;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What each attempt of a provider's models passes, in this order: a place among the calls that run
 * at once, the breaker, the rate. Where one holds it up it waits, so that Turns meet a provider in
 * trouble late rather than fail one by one. What decides is resilience4j's; who waits here can be
 * interrupted, which its own waits would swallow.
 */
final class Guards {
  /** How often a call that waits on the breaker looks at it. */
  private static final Duration LOOK = Duration.ofMillis(100);

  private final String provider;
  private final GuardPolicy policy;
  private final Surroundings surroundings;
  private final ModelWatch watch;
  private final Bulkhead places;
  private final CircuitBreaker breaker;
  private final Optional<RateLimiter> rate;

  /**
   * @param provider its id
   */
  Guards(String provider, GuardPolicy policy, Surroundings surroundings) {
    this.provider = provider;
    this.policy = policy;
    this.surroundings = surroundings;
    this.watch = surroundings.watch();
    this.places =
        Bulkhead.of(
            provider,
            BulkheadConfig.custom()
                .maxConcurrentCalls(policy.concurrentCalls())
                .maxWaitDuration(policy.longestWait())
                .fairCallHandlingStrategyEnabled(true)
                .build());
    this.breaker =
        CircuitBreaker.of(
            provider,
            CircuitBreakerConfig.custom()
                .slidingWindowType(SlidingWindowType.COUNT_BASED)
                .slidingWindowSize(policy.breakerWindow())
                .minimumNumberOfCalls(policy.breakerWindow())
                .failureRateThreshold(policy.breakerFailurePercent())
                .waitDurationInOpenState(policy.breakerOpen())
                .permittedNumberOfCallsInHalfOpenState(1)
                .build());
    this.rate = policy.rate().map(of -> limiter(provider, of, policy.longestWait()));
    watch.breaker(provider, ModelWatch.Breaker.CLOSED);
    breaker
        .getEventPublisher()
        .onStateTransition(
            event -> watch.breaker(provider, state(event.getStateTransition().getToState())));
  }

  private static RateLimiter limiter(String provider, GuardPolicy.Rate of, Duration longestWait) {
    return RateLimiter.of(
        provider,
        RateLimiterConfig.custom()
            .limitForPeriod(of.attempts())
            .limitRefreshPeriod(of.period())
            .timeoutDuration(longestWait)
            .build());
  }

  private static ModelWatch.Breaker state(CircuitBreaker.State state) {
    return switch (state) {
      case CLOSED, DISABLED, METRICS_ONLY -> ModelWatch.Breaker.CLOSED;
      case OPEN, FORCED_OPEN -> ModelWatch.Breaker.OPEN;
      case HALF_OPEN -> ModelWatch.Breaker.HALF_OPEN;
    };
  }

  /**
   * Makes the attempt as soon as it may be made.
   *
   * @throws AttemptException what it failed with; or for good, where it waited too long
   */
  Reply run(Retries.Attempt attempt) throws AttemptException, InterruptedException {
    awaitPlace();
    try {
      awaitBreaker();
      return judged(attempt);
    } finally {
      places.releasePermission();
    }
  }

  /** Whether the breaker lets a call through now. */
  boolean ready() {
    boolean lets = breaker.tryAcquirePermission();
    if (lets) {
      breaker.releasePermission();
    }
    return lets;
  }

  private void awaitPlace() throws AttemptException, InterruptedException {
    boolean busy = places.getMetrics().getAvailableConcurrentCalls() == 0;
    Instant since = surroundings.clock().instant();
    boolean placed = places.tryAcquirePermission();
    if (busy) {
      waited(Wait.PLACE, since);
    }
    if (placed) {
      return;
    }
    if (Thread.interrupted()) {
      throw new InterruptedException("while it waited for a place");
    }
    throw gaveUp(
        Kind.OVERLOAD,
        "none of the " + policy.concurrentCalls() + " calls that may run at once came to its end");
  }

  private void awaitBreaker() throws AttemptException, InterruptedException {
    if (breaker.tryAcquirePermission()) {
      return;
    }
    Instant since = surroundings.clock().instant();
    RunningTime time = new RunningTime(surroundings.clock());
    try {
      while (time.elapsed().compareTo(policy.longestWait()) < 0) {
        surroundings.sleeper().sleep(LOOK);
        time.waited(LOOK);
        if (breaker.tryAcquirePermission()) {
          return;
        }
      }
    } finally {
      waited(Wait.BREAKER, since);
    }
    throw gaveUp(Kind.OVERLOAD, "it failed too often and did not answer again");
  }

  private void awaitRate() throws AttemptException, InterruptedException {
    if (rate.isEmpty()) {
      return;
    }
    long nanos = rate.get().reservePermission();
    if (nanos < 0) {
      throw gaveUp(Kind.RATE, "more calls wait than its 'rate' lets begin");
    }
    if (nanos > 0) {
      Instant since = surroundings.clock().instant();
      try {
        surroundings.sleeper().sleep(Duration.ofNanos(nanos));
      } finally {
        waited(Wait.RATE, since);
      }
    }
  }

  private void waited(Wait on, Instant since) {
    watch.waited(provider, on, Duration.between(since, surroundings.clock().instant()));
  }

  private AttemptException gaveUp(Kind kind, String why) {
    return AttemptException.forGood(
        kind,
        "provider "
            + provider
            + " was not asked: "
            + why
            + " within the "
            + policy.longestWait().toMillis()
            + " ms of 'longest-wait'");
  }

  /** With the leave of the breaker, which is told how it went or given its leave back. */
  private Reply judged(Retries.Attempt attempt) throws AttemptException, InterruptedException {
    boolean told = false;
    try {
      awaitRate();
      try {
        Reply reply = attempt.run();
        tell(Optional.empty());
        told = true;
        return reply;
      } catch (AttemptException e) {
        tell(Optional.of(e));
        told = true;
        throw e;
      }
    } finally {
      if (!told) {
        breaker.releasePermission();
      }
    }
  }

  /** A long reply is no trouble, so the breaker is told no time. */
  private void tell(Optional<AttemptException> failure) {
    if (failure.isPresent() && isTrouble(failure.get().kind())) {
      breaker.onError(0, TimeUnit.NANOSECONDS, failure.get());
    } else {
      breaker.onSuccess(0, TimeUnit.NANOSECONDS);
    }
  }

  /** Whether it says that the provider is in trouble; a provider that refuses a call is not. */
  private static boolean isTrouble(Kind kind) {
    return switch (kind) {
      case OVERLOAD, SERVER, NETWORK, STALLED, CUT_OFF -> true;
      case BAD_REQUEST, AUTH, RATE, CONTEXT_LENGTH, CONTENT_REFUSED -> false;
    };
  }
}
