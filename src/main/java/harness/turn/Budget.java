package harness.turn;

/**
 * How far a Turn may go.
 *
 * @param steps replies of the model
 * @param identicalCalls calls in a row with the same name, input and result
 */
public record Budget(int steps, int identicalCalls) {}
