package harness.store;

import java.time.Instant;

/**
 * One event as it lies in the log.
 *
 * @param sequence its place in its conversation, from 0
 * @param index its place in the append that it came with, from 0
 * @param at when it was appended
 * @param body its encoding, opaque to the store
 */
public record StoredEvent(long sequence, int index, Instant at, byte[] body) {}
