package harness.briefing;

/**
 * What the Working tools run on.
 *
 * @param cpus from 1
 * @param memoryBytes from 1
 */
public record Machine(int cpus, long memoryBytes) {
  private static final long MIB = 1 << 20;
  private static final long GIB = 1 << 30;

  /** The sentence that the model reads; the same for the same machine. */
  String sentence() {
    // Each request of each Turn says it, and a format is slow.
    long tenths = Math.round(10.0 * memoryBytes / GIB);
    String memory =
        memoryBytes < GIB ? memoryBytes / MIB + " MiB" : tenths / 10 + "." + tenths % 10 + " GiB";
    return " Your commands have "
        + cpus
        + (cpus == 1 ? " CPU and " : " CPUs and ")
        + memory
        + " of memory.";
  }
}
