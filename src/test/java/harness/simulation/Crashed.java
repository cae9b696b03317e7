package harness.simulation;

/** Ends a task whose process is no more: it can touch nothing, so it is let fall. */
final class Crashed extends Error {
  private static final long serialVersionUID = 1L;

  Crashed() {
    super("its process is no more", null, false, false);
  }
}
