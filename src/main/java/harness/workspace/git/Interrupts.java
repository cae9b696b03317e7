package harness.workspace.git;

/** An interrupt, seen in the middle of work that never waits. */
final class Interrupts {
  private Interrupts() {}

  static void check() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("stopped while reading the repository");
    }
  }
}
