package harness.store;

/**
 * One entry of the feed of faults.
 *
 * @param place its place in the feed, from 0; never given to another fault, also after this one
 *     expired
 * @param body its encoding, opaque to the store
 */
public record StoredFault(long place, byte[] body) {}
