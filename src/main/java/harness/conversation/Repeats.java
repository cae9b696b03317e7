package harness.conversation;

import harness.model.Part;
import java.util.Optional;

/**
 * How often the last call of a Turn was made in a row with the same result.
 *
 * @param last empty where none was made
 */
record Repeats(Optional<Part.Call> last, String result, int times) {
  static final Repeats NONE = new Repeats(Optional.empty(), "", 0);

  /** After one more call that has its result. */
  Repeats plus(Part.Call call, String returned) {
    int before = result.equals(returned) ? of(call) : 0;
    return new Repeats(Optional.of(call), returned, before + 1);
  }

  /** How often a call was made last. */
  int of(Part.Call call) {
    return last.filter(one -> one.name().equals(call.name()) && one.input().equals(call.input()))
            .isPresent()
        ? times
        : 0;
  }
}
