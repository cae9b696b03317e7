package harness.tool;

/**
 * How a call ran out of memory.
 *
 * @param peakBytes the most that was seen
 * @param limitBytes how much there is
 */
public record MemoryExcess(long peakBytes, long limitBytes) {}
