/**
 * One Turn, from its prompt to its Settlement: {@link harness.turn.TurnLoop}. It asks the model,
 * appends what it said, runs the calls and appends what they returned; it holds no state that is
 * not in the events.
 */
@NullMarked
package harness.turn;

import org.jspecify.annotations.NullMarked;
