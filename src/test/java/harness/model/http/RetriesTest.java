package harness.model.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.model.ModelException;
import harness.model.ModelException.Kind;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RetriesTest {
  private static final RetryPolicy POLICY =
      new RetryPolicy(7, Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofMinutes(1));

  @Test
  void theWaitsDoubleUpToTheLongestAndAreFromHalfOfThatOn() {
    List<Duration> waits = waits(1);

    List<Integer> doubled = List.of(1, 2, 4, 8, 10, 10);
    assertEquals(doubled.size(), waits.size());
    for (int i = 0; i < waits.size(); i++) {
      long most = doubled.get(i) * 1000L;
      assertTrue(
          waits.get(i).toMillis() >= most / 2 && waits.get(i).toMillis() <= most, i + ": " + waits);
    }
  }

  @Test
  void theWaitsAreDecidedByTheRandomnessHandedIn() {
    assertEquals(waits(1), waits(1));
    assertNotEquals(waits(1), waits(2));
  }

  @Test
  void theWaitsCountForTheWholeCall() {
    List<Duration> slept = new ArrayList<>();
    Retries retries = new Retries("lab", POLICY, slept::add, new Random(1), _ -> {});

    assertThrows(
        ModelException.class,
        () ->
            retries.run(
                new RunningTime(InstantSource.system()), Duration.ofSeconds(9), RetriesTest::fail));

    Duration whole = slept.stream().reduce(Duration.ZERO, Duration::plus);
    assertTrue(whole.compareTo(Duration.ofSeconds(9)) < 0, whole.toString());
    assertTrue(slept.size() >= 2, slept.toString());
  }

  private static List<Duration> waits(long seed) {
    List<Duration> slept = new ArrayList<>();
    Retries retries = new Retries("lab", POLICY, slept::add, new Random(seed), _ -> {});
    assertThrows(
        ModelException.class,
        () ->
            retries.run(
                new RunningTime(InstantSource.system()), Duration.ofHours(1), RetriesTest::fail));
    return slept;
  }

  private static harness.model.Reply fail() throws AttemptException {
    throw AttemptException.passing(Kind.SERVER, "oops");
  }
}
