package harness.store;

import harness.agent.Instance;
import java.time.Instant;

/**
 * A conversation that the store holds.
 *
 * @param life the name of this life of it
 * @param events how many events it has
 * @param unsettled how many of its Submissions are unsettled
 * @param touched when it was last appended to
 */
public record Held(Instance instance, String life, long events, int unsettled, Instant touched) {}
