package harness.turn;

import harness.conversation.Event;
import harness.conversation.Settlement;
import harness.fault.Fault;
import java.util.List;

/** How one try at a Turn came to its end, or to where it pauses. */
sealed interface End {
  /**
   * It settles.
   *
   * @param last what is recorded together with the Settlement
   */
  record Settles(Settlement settlement, List<Event> last) implements End {
    public Settles {
      last = List.copyOf(last);
    }
  }

  /** A call of it waits for an answer. */
  record Pauses(Event.AwaitingAnswer on) implements End {}

  static End failed(Fault fault) {
    return new Settles(Settlement.failed(fault), List.of());
  }
}
