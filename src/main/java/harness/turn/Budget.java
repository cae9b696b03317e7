package harness.turn;

/**
 * How far a Turn may go.
 *
 * @param steps replies of the model
 * @param identicalCalls calls in a row with the same name, input and result
 * @param nudges how often a model is asked for a pick that it did not make
 * @param rerolls how often a fresh Turn begins anew
 */
public record Budget(int steps, int identicalCalls, int nudges, int rerolls) {}
