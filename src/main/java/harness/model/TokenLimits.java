package harness.model;

import java.util.OptionalInt;

/**
 * How much a model can read and say, in tokens.
 *
 * @param contextWindow what a request and its reply may have together; empty: not known
 * @param output what one reply may have; empty: not known
 */
public record TokenLimits(OptionalInt contextWindow, OptionalInt output) {
  /** Nothing is known. */
  public static final TokenLimits UNKNOWN =
      new TokenLimits(OptionalInt.empty(), OptionalInt.empty());
}
