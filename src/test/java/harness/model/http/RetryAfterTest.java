package harness.model.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterTest {
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-10-21T07:28:00Z"));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0                             | PT0S
          30                            | PT30S
          1.5                           | PT1.5S
          999999999999999999            | PT8760H
          Wed, 21 Oct 2026 07:28:10 GMT | PT10S
          Wed, 21 Oct 2026 07:00:00 GMT | PT0S
          """)
  void secondsAndDatesAreRead(String value, Duration wait) {
    assertEquals(Optional.of(wait), RetryAfter.of(headers(value), CLOCK));
  }

  @ParameterizedTest
  @ValueSource(strings = {"soon", "-5", "", "1e9", "99999999999999999999999999"})
  void whatIsNeitherIsNotThere(String value) {
    assertEquals(Optional.empty(), RetryAfter.of(headers(value), CLOCK));
  }

  @Test
  void noHeaderIsNoWait() {
    assertEquals(Optional.empty(), RetryAfter.of(HttpHeaders.of(Map.of(), (_, _) -> true), CLOCK));
  }

  private static HttpHeaders headers(String value) {
    return HttpHeaders.of(Map.of("Retry-After", List.of(value)), (_, _) -> true);
  }
}
