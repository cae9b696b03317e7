package harness.conversation;

import harness.store.StoredEvent;
import java.time.Instant;

/** What lies in a store, for tests that look into it from outside. */
public final class Decoded {
  private Decoded() {}

  /** The event that a body encodes. */
  public static Event event(byte[] body) {
    return EventCodec.decode(new StoredEvent(0, 0, Instant.EPOCH, body)).event();
  }

  /** The body that encodes an event. */
  public static byte[] body(Event event) {
    return EventCodec.encode(event);
  }

  /** The fault that a body encodes. */
  public static FaultReport fault(byte[] body) {
    return EventCodec.decodeReport(body);
  }

  /** How many conversations are in memory. */
  public static int awake(Conversations conversations) {
    return conversations.awake();
  }
}
