package harness.model.provider;

import harness.agent.ThinkingLevel;
import harness.model.TokenLimits;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What configuration says of one model; what is empty is as the provider has it.
 *
 * @param contextWindow the tokens that a request and its reply may have together
 * @param maxTokens the tokens that a reply may have, sent as {@code max_tokens}; empty sends
 *     nothing, for servers that refuse it
 * @param thinkingLevels the levels that it has; empty: all
 * @param images whether it takes images; empty: not
 * @param adaptiveThinking whether it takes an effort where others of its API take a budget for
 *     thinking; empty: not
 * @param price what its tokens cost; empty: nobody says
 */
public record ModelConfig(
    OptionalInt contextWindow,
    OptionalInt maxTokens,
    Optional<Set<ThinkingLevel>> thinkingLevels,
    Optional<Boolean> images,
    Optional<Boolean> adaptiveThinking,
    Optional<Price> price) {
  /** Nothing of its own. */
  public static final ModelConfig DEFAULT =
      new ModelConfig(OptionalInt.empty(), OptionalInt.empty(), Optional.empty());

  /** Its tokens and levels alone. */
  public ModelConfig(
      OptionalInt contextWindow, OptionalInt maxTokens, Optional<Set<ThinkingLevel>> levels) {
    this(contextWindow, maxTokens, levels, Optional.empty(), Optional.empty(), Optional.empty());
  }

  public ModelConfig {
    requirePositive("context-window", contextWindow);
    requirePositive("max-tokens", maxTokens);
    thinkingLevels =
        thinkingLevels.map(
            levels -> {
              if (levels.isEmpty()) {
                throw new IllegalArgumentException(
                    "'thinking-levels' names at least one level; leave it out for all of them");
              }
              return Collections.unmodifiableSet(EnumSet.copyOf(levels));
            });
  }

  /** This, and where it says nothing, the other. */
  ModelConfig over(ModelConfig other) {
    return new ModelConfig(
        contextWindow.isPresent() ? contextWindow : other.contextWindow,
        maxTokens.isPresent() ? maxTokens : other.maxTokens,
        thinkingLevels.isPresent() ? thinkingLevels : other.thinkingLevels,
        images.isPresent() ? images : other.images,
        adaptiveThinking.isPresent() ? adaptiveThinking : other.adaptiveThinking,
        price.isPresent() ? price : other.price);
  }

  /** What it can read and say. */
  TokenLimits limits() {
    return new TokenLimits(contextWindow, maxTokens);
  }

  private static void requirePositive(String key, OptionalInt tokens) {
    if (tokens.isPresent() && tokens.getAsInt() < 1) {
      throw new IllegalArgumentException(
          "'" + key + "' is a number of tokens from 1, not " + tokens.getAsInt());
    }
  }
}
