package harness.agent;

import java.util.Optional;

/**
 * What a Turn is about and where it works.
 *
 * @param prompt the caller's words, never edited
 * @param cwd the absolute, normalised directory that the Working tools are rooted at; empty only
 *     for an Agent without Working tools
 */
public record Frame(String prompt, Optional<String> cwd) {}
