package harness.model.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RunningTimeTest {
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private final RunningTime time = new RunningTime(() -> now);

  @Test
  void timeThatPassesCounts() {
    now = now.plusMillis(300);
    assertEquals(Duration.ofMillis(300), time.elapsed());
    now = now.plusMillis(700);
    assertEquals(Duration.ofSeconds(1), time.elapsed());
  }

  @Test
  void anHourInWhichTheProcessWasFrozenCountsAsOneSlice() {
    now = now.plus(Duration.ofHours(1));
    assertEquals(RunningTime.SLICE, time.elapsed());
  }

  @Test
  void aClockThatIsSetBackTakesNothingBack() {
    now = now.plusMillis(300);
    var _ = time.elapsed();
    now = now.minusSeconds(100);
    assertEquals(Duration.ofMillis(300), time.elapsed());
    now = now.plusMillis(100);
    assertEquals(Duration.ofMillis(400), time.elapsed());
  }

  @Test
  void aWaitInOnePieceCountsWhole() {
    now = now.plusSeconds(20);
    time.waited(Duration.ofSeconds(20));
    assertEquals(Duration.ofSeconds(20), time.elapsed());
  }
}
