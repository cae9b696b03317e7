package harness.conversation;

import harness.agent.Instance;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The transcripts of the conversations that ran last, so that the next Turn of one reads only what
 * was added to it since.
 */
final class Transcripts {
  /** How many are kept. */
  static final int CONVERSATIONS = 64;

  /** The bytes that all of them may have together, as {@link Transcript#weight()} counts them. */
  static final long BYTES = 16L * 1024 * 1024;

  /**
   * A transcript that is kept.
   *
   * @param events how many events of this life are in it
   */
  record Kept(String life, long events, Transcript transcript, long weight) {}

  private final Map<Instance, Kept> kept = new LinkedHashMap<>();
  private long weight;

  /**
   * Keeps it, and lets go of the oldest ones where they are too many or too large together. Whoever
   * hands it over uses it no more.
   */
  synchronized void keep(Instance instance, String life, long events, Transcript transcript) {
    forget(instance);
    Kept one = new Kept(life, events, transcript, transcript.weight());
    if (one.weight() > BYTES) {
      return;
    }
    kept.put(instance, one);
    weight += one.weight();
    while (kept.size() > CONVERSATIONS || weight > BYTES) {
      forget(kept.keySet().iterator().next());
    }
  }

  /** The one of this life of a conversation, which is kept no longer: its taker goes on with it. */
  synchronized Optional<Kept> take(Instance instance, String life) {
    Optional<Kept> found = Optional.ofNullable(kept.get(instance));
    forget(instance);
    return found.filter(one -> one.life().equals(life));
  }

  synchronized void forget(Instance instance) {
    Kept gone = kept.remove(instance);
    if (gone != null) {
      weight -= gone.weight();
    }
  }
}
