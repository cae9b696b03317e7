package harness.model;

import java.math.BigDecimal;
import java.util.Optional;

/**
 * Tokens, as the provider counted them; 0 where it did not say.
 *
 * @param inputTokens all that were read, those from a cache too
 * @param cost what they cost, exactly, in the unit of the configured prices; empty where none is
 *     configured. A sum has the cost of those that have one.
 */
public record Usage(
    long inputTokens, long cachedInputTokens, long outputTokens, Optional<BigDecimal> cost) {
  public static final Usage NONE = new Usage(0, 0, 0);

  /** Without a price. */
  public Usage(long inputTokens, long cachedInputTokens, long outputTokens) {
    this(inputTokens, cachedInputTokens, outputTokens, Optional.empty());
  }

  public Usage plus(Usage other) {
    return new Usage(
        inputTokens + other.inputTokens,
        cachedInputTokens + other.cachedInputTokens,
        outputTokens + other.outputTokens,
        cost.isPresent() && other.cost.isPresent()
            ? Optional.of(cost.get().add(other.cost.get()))
            : cost.or(() -> other.cost));
  }

  /** The same with what it cost. */
  public Usage costing(BigDecimal amount) {
    return new Usage(inputTokens, cachedInputTokens, outputTokens, Optional.of(amount));
  }
}
