package harness;

/**
 * Where random tests get their randomness from: the same each time, so that a build is repeatable;
 * {@code -Dseed=NUMBER} takes another, which is how one explores.
 */
public final class Seed {
  private static final long USUAL = 20_261_130L;

  private Seed() {}

  /** The seed of this run, printed so that it can be given again. */
  public static long get(Class<?> test) {
    long seed = Long.getLong("seed", USUAL);
    System.out.println(test.getSimpleName() + ": -Dseed=" + seed);
    return seed;
  }
}
