package harness.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** That a limit which could not be kept takes no other one with it. */
@Timeout(60)
class TimersTest {
  private static final Duration SOON = Duration.ofMillis(1);
  private static final int PATIENCE_SECONDS = 20;

  @Test
  void aLimitThatFoundNoRoomForItsThreadLeavesTheNextOnesTheirs() throws Exception {
    Timers timers = new Timers(InstantSource.system(), new NoRoom(1));
    CountDownLatch first = new CountDownLatch(1);
    assertThrows(OutOfMemoryError.class, () -> timers.start(SOON, first::countDown));
    CountDownLatch second = new CountDownLatch(1);
    timers.start(SOON, second::countDown);
    assertTrue(second.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
    assertEquals(1, first.getCount(), "what was not started does nothing later");
  }

  @Test
  void aLimitWhoseEffectFailsLeavesTheOthersTheirs() throws Exception {
    Timers timers = new Timers(InstantSource.system());
    timers.start(
        SOON,
        () -> {
          throw new OutOfMemoryError("of the test");
        });
    CountDownLatch other = new CountDownLatch(1);
    timers.start(Duration.ofMillis(150), other::countDown);
    assertTrue(other.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
  }

  @Test
  void aLookThatFailedOnceEndsNoLimit() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    InstantSource fails =
        () -> {
          if (looks.incrementAndGet() == 2) {
            throw new OutOfMemoryError("of the test");
          }
          return Instant.now();
        };
    Timers timers = new Timers(fails);
    CountDownLatch first = new CountDownLatch(1);
    timers.start(SOON, first::countDown);
    assertTrue(first.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
    CountDownLatch later = new CountDownLatch(1);
    timers.start(SOON, later::countDown);
    assertTrue(later.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
  }
}
