package harness.model.provider;

import harness.model.Usage;
import java.math.BigDecimal;

/**
 * What a model costs, per million tokens, in any one currency.
 *
 * @param input what is read and in no cache, from 0
 * @param cachedInput what is read from a cache
 * @param output what is said, thinking included
 */
public record Price(BigDecimal input, BigDecimal cachedInput, BigDecimal output) {
  private static final int MILLION = 6;

  public Price {
    if (input.signum() < 0 || cachedInput.signum() < 0 || output.signum() < 0) {
      throw new IllegalArgumentException("a price is not below 0");
    }
  }

  /** The same usage with its exact cost. */
  Usage of(Usage usage) {
    long fresh = Math.max(0, usage.inputTokens() - usage.cachedInputTokens());
    BigDecimal perMillion =
        input
            .multiply(BigDecimal.valueOf(fresh))
            .add(cachedInput.multiply(BigDecimal.valueOf(usage.cachedInputTokens())))
            .add(output.multiply(BigDecimal.valueOf(usage.outputTokens())));
    return usage.costing(perMillion.movePointLeft(MILLION));
  }
}
