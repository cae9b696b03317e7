package harness.conversation;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The events that a conversation stored last, so that those who read along need not read them back.
 *
 * @param life the life of the conversation that they are of
 */
record Tail(String life, List<Recorded> events) {
  /** How many events are at hand. */
  static final int MAX_EVENTS = 16;

  /** Of how many bytes, as they are stored, an append may be that is kept at hand. */
  static final int MAX_BYTES = 16 * 1024;

  static final Tail NONE = new Tail("", List.of());

  Tail {
    events = List.copyOf(events);
  }

  /** With an append behind it. */
  Tail after(String itsLife, long sequence, Instant at, List<Event> added, List<byte[]> bodies) {
    if (bodies.stream().mapToLong(body -> body.length).sum() > MAX_BYTES) {
      return NONE;
    }
    List<Recorded> all = new ArrayList<>(itsLife.equals(life) ? events : List.of());
    for (int index = 0; index < added.size(); index++) {
      all.add(new Recorded(sequence + index, index, at, added.get(index)));
    }
    return new Tail(itsLife, all.subList(Math.max(0, all.size() - MAX_EVENTS), all.size()));
  }

  /** The events from one on, at most so many; empty where it is not at hand. */
  Optional<List<Recorded>> from(String ofLife, long from, int atMost) {
    if (!ofLife.equals(life) || events.isEmpty()) {
      return Optional.empty();
    }
    long skipped = from - events.getFirst().sequence();
    if (skipped < 0 || skipped >= events.size()) {
      return Optional.empty();
    }
    List<Recorded> rest = events.subList((int) skipped, events.size());
    return Optional.of(rest.subList(0, Math.min(atMost, rest.size())));
  }
}
