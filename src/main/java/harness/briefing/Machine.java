package harness.briefing;

import java.util.Locale;

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
    String memory =
        memoryBytes < GIB
            ? memoryBytes / MIB + " MiB"
            : String.format(Locale.ROOT, "%.1f GiB", (double) memoryBytes / GIB);
    return " Your commands have "
        + cpus
        + (cpus == 1 ? " CPU and " : " CPUs and ")
        + memory
        + " of memory.";
  }
}
