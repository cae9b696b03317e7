package harness.store;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Points in time as the file holds them: microseconds since 1970. */
final class Micros {
  private Micros() {}

  static long of(Instant at) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, at);
  }

  static Instant at(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}
