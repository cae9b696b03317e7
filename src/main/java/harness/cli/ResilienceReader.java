package harness.cli;

import harness.model.http.GuardPolicy;
import harness.model.http.ModelLimits;
import harness.model.http.RetryPolicy;
import java.time.Duration;
import java.util.Optional;

/** Reads how a provider is waited for, asked again and kept from being asked too much. */
final class ResilienceReader {
  private static final Duration LEAST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofDays(1);
  private static final int MOST_CALLS = 1_000_000;
  private static final int MOST_ATTEMPTS = 100;

  private ResilienceReader() {}

  static ModelLimits timeLimits(Section section) {
    ModelLimits usual = ModelLimits.DEFAULT;
    ModelLimits limits =
        new ModelLimits(
            time(section, "connect", usual.connect()),
            time(section, "response-headers", usual.responseHeaders()),
            time(section, "first-token", usual.firstToken()),
            time(section, "silence", usual.silence()),
            time(section, "whole-call", usual.wholeCall()),
            usual.maxReplyBytes(),
            usual.maxLineBytes());
    section.end();
    return limits;
  }

  static RetryPolicy retry(Section section) {
    RetryPolicy usual = RetryPolicy.DEFAULT;
    int attempts = section.count("attempts", usual.attempts(), 1, MOST_ATTEMPTS);
    Duration first = time(section, "first-wait", usual.firstWait());
    Duration longest = time(section, "longest-wait", usual.longestWait());
    Duration asked =
        section.duration("longest-retry-after", usual.longestRetryAfter(), Duration.ZERO, LONGEST);
    section.end();
    if (longest.compareTo(first) < 0) {
      section.fault("longest-wait", "is below 'first-wait'; make it at least as long");
      return usual;
    }
    return new RetryPolicy(attempts, first, longest, asked);
  }

  static GuardPolicy guards(Section provider) {
    GuardPolicy usual = GuardPolicy.DEFAULT;
    Section breaker = provider.section("breaker");
    GuardPolicy guards =
        new GuardPolicy(
            provider.count("concurrent-calls", usual.concurrentCalls(), 1, MOST_CALLS),
            breaker.count("window", usual.breakerWindow(), 1, MOST_CALLS),
            breaker.count("failure-percent", usual.breakerFailurePercent(), 1, 100),
            time(breaker, "open", usual.breakerOpen()),
            rate(provider),
            provider.duration("longest-wait", usual.longestWait(), Duration.ZERO, LONGEST));
    breaker.end();
    return guards;
  }

  private static Optional<GuardPolicy.Rate> rate(Section provider) {
    if (!provider.has("rate")) {
      return Optional.empty();
    }
    Section rate = provider.section("rate");
    GuardPolicy.Rate read =
        new GuardPolicy.Rate(
            rate.count("attempts", 60, 1, MOST_CALLS), time(rate, "period", Duration.ofMinutes(1)));
    rate.end();
    return Optional.of(read);
  }

  private static Duration time(Section section, String key, Duration usual) {
    return section.duration(key, usual, LEAST, LONGEST);
  }
}
