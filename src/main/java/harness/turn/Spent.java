package harness.turn;

import harness.conversation.Turns;
import harness.model.Usage;

/** What a Turn has used so far, in all its tries. */
final class Spent {
  private Usage usage = Usage.NONE;

  void add(Usage more) {
    usage = usage.plus(more);
  }

  Turns.Ending ending(End end) {
    return new Turns.Ending(end.settlement(), usage, end.last());
  }
}
