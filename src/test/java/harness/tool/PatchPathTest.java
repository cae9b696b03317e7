package harness.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PatchPathTest {
  /** What is quadratic takes minutes. */
  private static final Duration SOON = Duration.ofSeconds(15);

  @Test
  void escapesAreReadAsGitWritesThem() {
    assertEquals("A\u00E9\t\"\\4\\8", PatchPath.read("\"\\101\\303\\251\\t\\\"\\\\4\\8\""));
    assertEquals("A\\47", PatchPath.read("\"\\101\\47\""));
    assertEquals("\"x\\40", PatchPath.read("\"x\\40"), "no quote closes it");
  }

  @Test
  void theTwoPathsOfAHeaderAreTheSameFile() {
    Optional<PatchPath.Pair> pair =
        Optional.of(new PatchPath.Pair(Optional.of("x y b/x"), Optional.of("x y b/x")));
    assertEquals(pair, PatchPath.git("a/x y b/x b/x y b/x"));
    assertEquals(pair, PatchPath.git("x y b/x x y b/x"));
    assertEquals(pair, PatchPath.git("a/x y b/x \"b/x y b/x\""));
    assertEquals(pair, PatchPath.git("a/x y b/x b/x y b/x\tlater"));
    assertEquals(Optional.empty(), PatchPath.git("a/x b/y"));
    assertEquals(Optional.empty(), PatchPath.git("a/x"));
  }

  @Test
  void aPathOfAMillionEscapesIsReadSoon() {
    String path = "\\101".repeat(1_000_000);
    assertTimeoutPreemptively(
        SOON,
        () ->
            assertEquals(
                Set.of("A".repeat(1_000_000), "b"),
                PatchPath.named("--- \"" + path + "\"\n+++ b\n")));
  }

  @Test
  void aHeaderOfAMillionSpacesIsReadSoon() {
    assertTimeoutPreemptively(
        SOON,
        () -> {
          assertEquals(Optional.empty(), PatchPath.git("a/ ".repeat(1_000_000) + "b"));
          assertEquals(Optional.empty(), PatchPath.git("a \"".repeat(1_000_000)));
        });
  }
}
