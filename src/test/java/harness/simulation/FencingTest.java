package harness.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.conversation.Conversations;
import harness.conversation.Impostor;
import harness.conversation.Turns;
import harness.simulation.FencedTurn.Ending;
import harness.simulation.SimulatedProcess.Core;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Ends a Turn at each of its steps, with a model and tools that listen to the interrupt and with
 * such that don't. What must never happen afterwards is what the simulation checks everywhere:
 * nothing of the Turn is appended or started any more, the next one starts when its tools have
 * ended, what was said is kept, and all that models are asked is whole.
 */
@ExtendWith(Hushed.class)
class FencingTest {
  /** More steps than the Turn has. */
  private static final int STEPS = 90;

  /** How many ways of taking turns each step is ended in. */
  private static final int SEEDS = 4;

  private static void endsEverywhere(Ending ending) throws InterruptedException {
    Set<FencedTurn.Place> places = EnumSet.noneOf(FencedTurn.Place.class);
    for (int step = 0; step < STEPS; step++) {
      for (int seed = 0; seed < SEEDS; seed++) {
        FencedTurn turn = new FencedTurn(seed, step, ending, seed % 2 == 0, Core.SOUND);
        Optional<String> failure = turn.run();
        String what = ending + " at step " + step + " of seed " + seed + ": ";
        assertEquals(Optional.empty(), failure.map(told -> what + told));
        turn.endedAt().ifPresent(places::add);
        assertTrue(step < STEPS - 1 || turn.endedAt().isEmpty(), "the Turn has more steps");
      }
    }
    assertEquals(EnumSet.allOf(FencedTurn.Place.class), places);
  }

  @Test
  void anAbortedTurnIsFencedWhereverItIs() throws Exception {
    endsEverywhere(Ending.ABORT);
  }

  @Test
  void aBurnedConversationIsFencedWhereverItsTurnIs() throws Exception {
    endsEverywhere(Ending.BURN);
  }

  @Test
  void aTurnThatTheEndOfItsProcessCutsIsFencedWhereverItIs() throws Exception {
    endsEverywhere(Ending.STOP);
  }

  @Test
  void aTurnThatACrashCutsIsLostWhereverItIs() throws Exception {
    endsEverywhere(Ending.CRASH);
  }

  @Test
  void aTurnThatAFullDiskCutsIsFencedWhereverItIs() throws Exception {
    endsEverywhere(Ending.FULL_DISK);
  }

  @Test
  void aTurnThatNobodyEndsCompletes() throws Exception {
    FencedTurn turn = new FencedTurn(1, Integer.MAX_VALUE, Ending.ABORT, true, Core.SOUND);
    assertEquals(Optional.empty(), turn.run());
    assertTrue(turn.endedAt().isEmpty());
  }

  @Test
  void aFenceThatIsNotThereIsSeen() throws Exception {
    Core unfenced =
        new Core() {
          @Override
          public Turns turns(Turns turns, AtomicReference<Conversations> conversations) {
            return Impostor.unfenced(turns, conversations);
          }
        };
    int seen = 0;
    for (int step = 0; step < STEPS; step++) {
      seen += new FencedTurn(0, step, Ending.ABORT, true, unfenced).run().isPresent() ? 1 : 0;
    }
    assertTrue(seen > STEPS / 4, "seen at " + seen + " steps");
  }
}
