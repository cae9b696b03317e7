package harness.agent;

import java.util.Optional;

/**
 * How hard a Turn runs, never who runs it: the definition's defaults with the Turn's own Dials over
 * them.
 *
 * @param model the model of this Turn
 * @param thinkingLevel its thinking level; empty leaves that to the model
 */
public record Dials(ModelName model, Optional<ThinkingLevel> thinkingLevel) {}
