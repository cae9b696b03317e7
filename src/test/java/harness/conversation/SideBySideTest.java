package harness.conversation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What waits does not hold up what is beside it, nor for longer than was said. */
@Timeout(60)
class SideBySideTest {
  private static final Duration LONG = Duration.ofMinutes(10);

  private final List<Integer> many = IntStream.range(0, 1_000).boxed().toList();

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void someThatWaitForEachOtherAllEnd() {
    CountDownLatch together = new CountDownLatch(10);
    AtomicInteger done = new AtomicInteger();
    SideBySide.run(
        Tasks.virtual(),
        "test",
        many.subList(0, 10),
        LONG,
        one -> {
          together.countDown();
          await(together);
          done.incrementAndGet();
        });
    assertEquals(10, done.get());
  }

  @Test
  void moreThanRunAtOnceAreAllDoneOnce() {
    AtomicInteger sum = new AtomicInteger();
    SideBySide.run(Tasks.virtual(), "test", many, LONG, sum::addAndGet);
    assertEquals(499_500, sum.get());
    SideBySide.run(Tasks.virtual(), "test", List.<Integer>of(), LONG, sum::addAndGet);
    assertEquals(499_500, sum.get());
  }

  @Test
  void whenTheTimeIsOverItReturnsAndTheRestGoesOn() {
    CountDownLatch thawed = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(many.size());
    SideBySide.run(
        Tasks.virtual(),
        "test",
        many,
        Duration.ofMillis(1),
        one -> {
          await(thawed);
          ended.countDown();
        });
    assertEquals(many.size(), ended.getCount());
    thawed.countDown();
    await(ended);
  }
}
