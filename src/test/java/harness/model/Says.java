package harness.model;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Assertions on what a failure says. */
public final class Says {
  private Says() {}

  public static void assertSays(String words, Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    assertTrue(message.contains(words), "'" + words + "' is not in: " + message);
  }

  public static void assertHides(String words, Throwable failure) {
    for (Throwable one = failure; one != null; one = one.getCause()) {
      assertFalse(one.toString().contains(words), "'" + words + "' is in: " + one);
    }
  }
}
