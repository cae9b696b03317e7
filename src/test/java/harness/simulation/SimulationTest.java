package harness.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.Seed;
import harness.simulation.SimulatedProcess.Core;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Many seeds, each a story of its own; {@code -Dseed=N -Dseeds=1} tells one again. With {@code
 * -Psoak} it goes on until it is told to stop, or for {@code -Dsoak.minutes=N}.
 */
@ExtendWith(Hushed.class)
class SimulationTest {
  private static final int SEEDS = Integer.getInteger("seeds", 2_000);
  private static final long SOAK_MINUTES = Long.getLong("soak.minutes", 0);

  @Test
  void whateverHappensEachSubmissionSettlesOnceAndNothingThatWasSaidIsLost() throws Exception {
    Figures figures = new Figures();
    long first = SOAK_MINUTES > 0 ? soakingFrom() : Seed.get(SimulationTest.class);
    Instant end = Instant.now().plus(Duration.ofMinutes(SOAK_MINUTES));
    Optional<String> failure =
        Seeds.run(
            first,
            seed -> SOAK_MINUTES > 0 ? goesOn(end, figures) : seed < first + SEEDS,
            () -> Core.SOUND,
            figures);
    failure.ifPresent(
        what -> {
          throw new AssertionError(what);
        });
    System.out.println("simulation: " + figures);
    // A core that refuses everything breaks no law.
    assertTrue(figures.seeds() < SEEDS || figures.busy(), "hardly anything happened: " + figures);
  }

  /** Other seeds each time, unless one is given. */
  private static long soakingFrom() {
    long seed = Long.getLong("seed", System.currentTimeMillis());
    System.out.println("soaking from -Dseed=" + seed);
    return seed;
  }

  private static boolean goesOn(Instant end, Figures figures) {
    if (figures.seeds() % 1_000 == 999) {
      System.out.println("simulation, so far: " + figures);
    }
    return Instant.now().isBefore(end);
  }

  @Test
  void aSeedTellsTheSameStoryEachTime() throws Exception {
    for (long seed = 1; seed <= 5; seed++) {
      Simulation one = new Simulation(seed, Core.SOUND, new Figures());
      Simulation other = new Simulation(seed, Core.SOUND, new Figures());
      assertEquals(Optional.empty(), one.run());
      assertEquals(Optional.empty(), other.run());
      assertEquals(one.digest(), other.digest());
    }
  }
}
