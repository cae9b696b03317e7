package harness.model;

/** Tokens, as the provider counted them; 0 where it did not say. */
public record Usage(long inputTokens, long cachedInputTokens, long outputTokens) {
  public static final Usage NONE = new Usage(0, 0, 0);

  public Usage plus(Usage other) {
    return new Usage(
        inputTokens + other.inputTokens,
        cachedInputTokens + other.cachedInputTokens,
        outputTokens + other.outputTokens);
  }
}
