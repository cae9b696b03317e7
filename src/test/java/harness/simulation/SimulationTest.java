package harness.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import harness.Seed;
import harness.simulation.SimulatedProcess.Core;
import java.time.Duration;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Many seeds, each a story of its own; {@code -Dseed=N -Dseeds=1} tells one again. With {@code
 * -Dsoak.minutes=N} it goes on for so long, whatever the number of seeds.
 */
class SimulationTest {
  private static final int SEEDS = Integer.getInteger("seeds", 2_000);
  private static final int SOAK_MINUTES = Integer.getInteger("soak.minutes", 0);

  /** The core logs what goes wrong around it, which is all the time here. */
  private static final Logger LOG = Logger.getLogger("harness");

  @BeforeEach
  void hush() {
    LOG.setLevel(Level.OFF);
  }

  @AfterEach
  void speak() {
    LOG.setLevel(null);
  }

  @Test
  void whateverHappensEachSubmissionSettlesOnceAndNothingThatWasSaidIsLost() throws Exception {
    Figures figures = new Figures();
    long first = Seed.get(SimulationTest.class);
    long end = System.nanoTime() + Duration.ofMinutes(SOAK_MINUTES).toNanos();
    Optional<String> failure =
        Seeds.run(
            first,
            seed -> SOAK_MINUTES > 0 ? System.nanoTime() < end : seed < first + SEEDS,
            () -> Core.SOUND,
            figures);
    failure.ifPresent(
        what -> {
          throw new AssertionError(what);
        });
    System.out.println("simulation: " + figures);
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
