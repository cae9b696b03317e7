package harness.conversation;

import harness.agent.Instance;
import java.util.List;

/** Hears what happens in all conversations. */
@FunctionalInterface
public interface EventListener {
  /**
   * Events are on stable storage. It is called under the lock of their conversation, in their
   * order, and returns at once.
   */
  void stored(Instance instance, List<Event> events);

  /** Both, this one first. */
  default EventListener and(EventListener other) {
    return (instance, events) -> {
      stored(instance, events);
      other.stored(instance, events);
    };
  }
}
