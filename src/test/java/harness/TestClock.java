package harness;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that goes on when it is told to. */
public final class TestClock implements InstantSource {
  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));

  @Override
  public Instant instant() {
    return now.get();
  }

  public void goOn(Duration time) {
    now.updateAndGet(instant -> instant.plus(time));
  }
}
