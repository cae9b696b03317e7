package harness.workspace.git;

import java.time.Instant;

/**
 * Who made a commit and when.
 *
 * @param name not empty
 * @param email may be empty
 * @param when shown in UTC, to the second
 */
public record Signature(String name, String email, Instant when) {
  public Signature {
    if (name.isBlank()) {
      throw new IllegalArgumentException("a commit needs the name of who made it");
    }
  }
}
