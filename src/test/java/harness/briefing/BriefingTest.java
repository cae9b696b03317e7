package harness.briefing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import harness.agent.Access;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BriefingTest {
  private static final Briefing HERE = new Briefing(Optional.of(new Machine(2, 3L << 30)));

  private static final Briefing ANYWHERE = new Briefing(Optional.empty());

  @Test
  void whoHasWorkingToolsIsToldWhatTheyRunOn() {
    String sentence = "Your commands have 2 CPUs and 3.0 GiB of memory. Your turn ends";
    assertTrue(HERE.standing(Access.WRITE, true).contains(sentence));
    assertTrue(HERE.standing(Access.READ, false).contains(sentence));
    assertFalse(ANYWHERE.standing(Access.WRITE, true).contains("CPU"));
  }

  @Test
  void whoHasNoneIsToldSoAndNothingOfAMachine() {
    String standing = HERE.standing(Access.NONE, false);
    assertEquals(
        "You have no tools for files or commands. Your turn ends when you answer without calling a"
            + " tool.",
        standing);
    assertEquals(ANYWHERE.standing(Access.NONE, true), HERE.standing(Access.NONE, true));
  }

  @Test
  void aSmallMachineIsNamedInWholeMebibytes() {
    assertEquals(
        " Your commands have 1 CPU and 256 MiB of memory.",
        new Machine(1, (256L << 20) + 4_095).sentence());
    assertEquals(
        " Your commands have 64 CPUs and 1.5 GiB of memory.",
        new Machine(64, 1536L << 20).sentence());
  }

  @Test
  void aSummaryIsMarkedAsTheHarnessesOwn() {
    assertEquals(
        "[The harness replaced what was said before by your own summary:]\n\nIt is done.",
        ANYWHERE.summary("\n It is done.\n"));
  }
}
