package harness.turn;

import harness.conversation.Event;
import harness.conversation.Settlement;
import harness.fault.Fault;
import java.util.List;

/**
 * How one try at a Turn ended.
 *
 * @param last what is recorded together with the Settlement
 */
record End(Settlement settlement, List<Event> last) {
  End {
    last = List.copyOf(last);
  }

  static End completed() {
    return new End(new Settlement.Completed(), List.of());
  }

  static End failed(Fault fault) {
    return new End(Settlement.failed(fault), List.of());
  }
}
