package harness.model.http;

import java.math.BigDecimal;
import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** Reads {@code Retry-After}: a number of seconds, or a date. */
final class RetryAfter {
  /** What a longer wait is taken for; it only has to be longer than any that is obeyed. */
  private static final Duration AT_MOST = Duration.ofDays(365);

  private RetryAfter() {}

  /** Empty where there is none that can be read; zero where it has passed. */
  static Optional<Duration> of(HttpHeaders headers, InstantSource clock) {
    return headers.firstValue("retry-after").flatMap(value -> read(value.strip(), clock));
  }

  private static Optional<Duration> read(String value, InstantSource clock) {
    if (value.matches("\\d{1,18}(\\.\\d{1,9})?")) {
      BigDecimal seconds = new BigDecimal(value);
      return Optional.of(
          seconds.compareTo(BigDecimal.valueOf(AT_MOST.toSeconds())) > 0
              ? AT_MOST
              : Duration.ofMillis(seconds.movePointRight(3).longValue()));
    }
    try {
      Instant at = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(value));
      Duration wait = Duration.between(clock.instant(), at);
      return Optional.of(wait.isNegative() ? Duration.ZERO : wait);
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }
}
