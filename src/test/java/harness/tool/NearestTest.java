package harness.tool;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Where a text might have been meant is said soon, whatever text and file are. */
class NearestTest {
  private static final Duration SOON = Duration.ofSeconds(15);

  private static void assertSoon(String part, String content, String wanted) {
    String told = assertTimeoutPreemptively(SOON, () -> Nearest.describe(content, wanted));
    assertTrue(told.contains(part), told);
  }

  @Test
  void aLongLineBesideManyLines() {
    assertSoon("no line of it is like", "x\n".repeat(500_000), "y".repeat(1_000_000));
  }

  @Test
  void aLineThatNearlyOccursAtEachPlaceOfAnother() {
    String line = "a".repeat(1_900_000);
    assertSoon("the nearest to", line, "a".repeat(900_000) + "b" + "a".repeat(900));
  }

  @Test
  void aLineThatOccursButForSpaceInAnother() {
    String line = "a".repeat(1_000_000) + "b c" + "a".repeat(900_000);
    assertSoon("differs in white space", line, "a".repeat(900_000) + "bc");
  }

  @Test
  void anInterruptEndsIt() {
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, () -> Nearest.describe("a\nb\n", "c"));
  }
}
