package harness.store;

import harness.agent.Address;
import harness.agent.Instance;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What must last. Each conversation is a sequence of events that only grows; an append, its claims
 * and the projections over all conversations (epochs, keys, faults, what is unsettled) are one
 * transaction. All methods may be called from any number of threads, and throw {@link
 * StoreUnableException} where the disk does not let them.
 */
public interface EventStore extends AutoCloseable {
  /** How much of a conversation one read answers, unless its first event alone is larger. */
  int READ_BYTES = 1 << 20;

  /** How long a key can still be replayed after its conversation was freed. */
  Duration KEYS_OUTLIVE = Duration.ofDays(7);

  /** How long an address keeps its epochs after its last conversation was freed. */
  Duration EPOCHS_OUTLIVE = Duration.ofDays(30);

  /** How long a fault stays in the feed after its conversation was freed. */
  Duration FAULTS_OUTLIVE = Duration.ofDays(30);

  /**
   * Returns when the append is on stable storage, or was refused. No interrupt ends the wait.
   *
   * @throws StoreUnableException where nothing was stored, unless it says that it may be
   */
  Appended append(Append append);

  /** The conversation, if it is held. */
  Optional<Held> find(Instance instance);

  /** The conversation, if it is held, or what is left of its earlier lives. */
  Opening opening(Instance instance);

  /**
   * Events of a conversation in order: from {@code from} on, at most {@code atMost} of them, and no
   * more than have {@link #READ_BYTES} unless the first alone has.
   *
   * @return empty only where the conversation ends, and for one that is not held
   * @throws CorruptEventException where one does not match its checksum
   */
  List<StoredEvent> read(Instance instance, long from, int atMost);

  /** The first claim of an idempotency key, if there is one. */
  Optional<Claim.Key> key(String scope, String key);

  /** The largest epoch claimed for an address, if there is one. */
  Optional<Claim.Epoch> epoch(Address address);

  /** All conversations with unsettled Submissions, in the order in which they were created. */
  List<Held> unsettled();

  /**
   * The feed of faults in order: those at place {@code from} (the first is 0) or after it, at most
   * {@code atMost}. Where faults expired, places are left out.
   */
  List<StoredFault> faults(long from, int atMost);

  /** The place behind the last fault that was ever in the feed; 0 where there was none. */
  long faultsEnd();

  /**
   * Removes the conversations that are not in {@code live}, have nothing unsettled and were last
   * touched before {@code before}. Their faults are kept until {@link #FAULTS_OUTLIVE} after {@code
   * now}, their keys until {@link #KEYS_OUTLIVE} after it, and the epochs of an address until
   * {@link #EPOCHS_OUTLIVE} after the last conversation of the address was freed; what is due by
   * {@code now} is removed by this call too. Appends go on meanwhile.
   *
   * @return those that were removed
   */
  List<Instance> free(Set<Instance> live, Instant before, Instant now);

  /** Ends what runs and lets go of the file; later calls throw {@link StoreUnableException}. */
  @Override
  void close();
}
