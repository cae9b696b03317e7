package harness.client;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Time that passes when someone waits, and at no other time. */
final class FakeTime {
  private final List<Duration> pauses = new ArrayList<>();
  private Instant now = Instant.EPOCH;

  Timing timing() {
    return new Timing(() -> now, this::pause, new Random(1));
  }

  void pass(Duration duration) {
    now = now.plus(duration);
  }

  private void pause(Duration duration) {
    pauses.add(duration);
    pass(duration);
  }

  List<Duration> pauses() {
    return List.copyOf(pauses);
  }

  Duration passed() {
    return Duration.between(Instant.EPOCH, now);
  }
}
