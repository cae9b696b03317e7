package harness.tool;

/** Hears what a call puts out while it still runs. Its method returns at once and never throws. */
public interface Progress {
  /** Tells nobody. */
  Progress NONE = _ -> {};

  /** A piece of the output. */
  void output(String text);
}
