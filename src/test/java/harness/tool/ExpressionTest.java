package harness.tool;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import harness.Seed;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ExpressionTest {
  private static void assertTooLarge(String text) {
    String message =
        String.valueOf(
            assertThrows(ToolException.class, () -> Expression.compile(text, 0)).getMessage());
    assertTrue(message.startsWith("the pattern is too large"), message);
  }

  @Test
  void usualExpressionsAreTaken() {
    for (String text :
        new String[] {
          "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}",
          "(?:ab){500}",
          "(?P<name>\\w+)\\s*=\\s*(?i:\"[^\"]*\")",
          "x{0}y{,5000}z{2,}",
          "\\Q(((\\E{3}",
          "[]{1000}]{2}",
          "(\\pL|\\p{Greek}){20}"
        }) {
      assertDoesNotThrow(() -> Expression.compile(text, 0), text);
    }
  }

  @Test
  void onesWhoseProgramWouldBeHugeAreRefusedBeforeTheyAreBuilt() {
    assertTooLarge("(((((x{1000}){1000}){1000})))");
    assertTooLarge("((x{100,}){100}){100}");
    assertTooLarge("[a-z]{999}[a-z]{999}[a-z]{999}");
    assertTooLarge("(".repeat(1_500) + "a" + ")".repeat(1_500));
    assertTooLarge("(?:(?i:(?P<n>\\x{41}{50}){50}){50})");
    assertTooLarge("\\Qab\\E{1000}".repeat(30));
  }

  private static boolean valid(String text) {
    try {
      return Pattern.compile(text).programSize() > 0;
    } catch (PatternSyntaxException e) {
      return false;
    }
  }

  private static boolean small(String text) {
    return valid(text) && Pattern.compile(text).programSize() <= Expression.MAX_PROGRAM;
  }

  @Test
  void noExpressionThatIsSmallOnceBuiltIsRefused() {
    long seed = Seed.get(ExpressionTest.class);
    Random random = new Random(seed);
    String[] parts = {
      "a",
      "\\d",
      "[a-c]",
      "[^]x]",
      "(",
      ")",
      "(?:",
      "(?i)",
      "*",
      "+?",
      "{3}",
      "{2,4}",
      "{5,}",
      "{",
      "}",
      "|",
      "^",
      "$",
      "\\b",
      ".",
      "\\Q{9}\\E",
      "\\x{41}",
      "\\pL",
      "{40}"
    };
    int taken = 0;
    for (int round = 0; round < 20_000; round++) {
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(12); i >= 0; i--) {
        text.append(parts[random.nextInt(parts.length)]);
      }
      String what = "seed " + seed + ": " + text;
      try {
        Expression.compile(text.toString(), 0);
        taken++;
      } catch (ToolException e) {
        boolean large = String.valueOf(e.getMessage()).startsWith("the pattern is too large");
        assertTrue(large ? !small(text.toString()) : !valid(text.toString()), what);
      }
    }
    assertTrue(taken > 1_000, "only " + taken + " were expressions");
  }
}
