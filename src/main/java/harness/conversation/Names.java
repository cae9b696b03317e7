package harness.conversation;

import java.util.random.RandomGenerator;

/** Random names: of fresh conversations, Submissions and lives. */
public final class Names {
  private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz234567";
  private static final int LENGTH = 16;

  private Names() {}

  /** Sixteen letters and digits: 80 bits, so that no two are ever the same by chance. */
  public static String random(RandomGenerator random) {
    byte[] bytes = new byte[LENGTH];
    random.nextBytes(bytes);
    StringBuilder name = new StringBuilder(LENGTH);
    for (byte one : bytes) {
      name.append(LETTERS.charAt(Math.floorMod(one, LETTERS.length())));
    }
    return name.toString();
  }
}
