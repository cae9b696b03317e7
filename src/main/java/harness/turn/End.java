package harness.turn;

import harness.conversation.Settlement;
import harness.fault.Fault;

/** How one try at a Turn ended. */
record End(Settlement settlement) {
  static End completed() {
    return new End(new Settlement.Completed());
  }

  static End failed(Fault fault) {
    return new End(Settlement.failed(fault));
  }
}
