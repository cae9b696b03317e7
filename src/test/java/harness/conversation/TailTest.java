package harness.conversation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.Seed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TailTest {
  private static final Instant AT = Instant.parse("2026-01-01T00:00:00.000001Z");

  @Test
  void whatIsAtHandIsWhatWasStored() {
    long seed = Seed.get(TailTest.class);
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      List<Recorded> stored = new ArrayList<>();
      Tail tail = Tail.NONE;
      for (int append = 0; append < 20; append++) {
        List<Event> events = events(1 + random.nextInt(4));
        int bytes = random.nextInt(10) == 0 ? Tail.MAX_BYTES + 1 : 10;
        tail = tail.after("life", stored.size(), AT, events, List.of(new byte[bytes]));
        for (int index = 0; index < events.size(); index++) {
          stored.add(new Recorded(stored.size(), index, AT, events.get(index)));
        }
        int from = random.nextInt(stored.size() + 2);
        int atMost = 1 + random.nextInt(5);
        Optional<List<Recorded>> read = tail.from("life", from, atMost);
        if (read.isPresent()) {
          assertEquals(
              stored.subList(from, Math.min(stored.size(), from + read.get().size())),
              read.get(),
              "seed " + seed);
          assertTrue(
              read.get().size() == atMost || from + read.get().size() == stored.size(),
              "it breaks off, seed " + seed);
        }
      }
    }
  }

  @Test
  void itHoldsNoMoreThanItsBoundAndTheNewest() {
    Tail tail = Tail.NONE;
    for (int append = 0; append < 40; append++) {
      tail = tail.after("life", append, AT, events(1), List.of(new byte[10]));
    }
    assertEquals(Tail.MAX_EVENTS, tail.events().size());
    assertEquals(
        Optional.of(39L), tail.from("life", 39, 9).map(read -> read.getFirst().sequence()));
    assertEquals(Optional.empty(), tail.from("life", 39 - Tail.MAX_EVENTS, 9));
    assertEquals(Optional.empty(), tail.from("life", 40, 9));
  }

  @Test
  void anotherLifeIsNotAtHand() {
    Tail tail = Tail.NONE.after("first", 0, AT, events(2), List.of(new byte[10]));
    assertEquals(Optional.empty(), tail.from("second", 0, 9));
    Tail next = tail.after("second", 0, AT, events(1), List.of(new byte[10]));
    assertEquals(1, next.events().size());
  }

  private static List<Event> events(int count) {
    return IntStream.range(0, count)
        .<Event>mapToObj(number -> new Event.MessageJoined("s-1", "s-" + number))
        .toList();
  }
}
