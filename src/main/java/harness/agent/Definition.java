package harness.agent;

import java.util.Optional;

/**
 * Identity: who an Agent is, the same in each of its Turns.
 *
 * @param model the model it runs on unless a Turn's Dials say otherwise
 * @param instructions what it is told before anything else; not blank
 * @param workspace what it may do there
 * @param thinkingLevel how hard it thinks unless a Turn's Dials say otherwise; empty leaves that to
 *     the model
 */
public record Definition(
    ModelName model,
    String instructions,
    Access workspace,
    Optional<ThinkingLevel> thinkingLevel) {}
