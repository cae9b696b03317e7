package harness.tool;

/**
 * How a call ran out of memory.
 *
 * @param peakBytes the most that was seen
 * @param limitBytes how much there is
 */
public record MemoryExcess(long peakBytes, long limitBytes) {
  /** What can be filled between two looks at a container of the size that pods have. */
  private static final int NEAR_PART = 4;

  private static final long MEBIBYTE = 1024L * 1024;

  /** Whether what vanished then may well have met the limit. */
  public boolean near() {
    return peakBytes >= limitBytes - limitBytes / NEAR_PART;
  }

  /** What the model reads of it. */
  String sentence() {
    return "killed: memory limit (peak "
        + peakBytes / MEBIBYTE
        + " MiB of "
        + limitBytes / MEBIBYTE
        + " MiB); use fewer workers or a larger size";
  }

  /** The result of a call that ended so and can say no more. */
  public ToolResult result(String more) {
    return ToolResult.failure(sentence() + more).exceeding(this);
  }
}
