package harness.model.http;

import harness.model.TokenLimits;
import java.util.OptionalInt;

/**
 * What a model is known to be and to want.
 *
 * @param maxTokens the most tokens of a reply, sent with each request; empty leaves it to the
 *     server
 * @param limits what it can read and say; an API that asks for a limit gets its output
 * @param adaptiveThinking whether it is told an effort and finds out itself how much to think,
 *     where others of its API are given a budget
 */
public record Traits(OptionalInt maxTokens, TokenLimits limits, boolean adaptiveThinking) {
  /** Nothing is known. */
  public static final Traits UNKNOWN = new Traits(OptionalInt.empty(), TokenLimits.UNKNOWN, false);
}
