package harness.store;

import java.util.Optional;

/**
 * What the store knows of a conversation that is about to be used.
 *
 * @param held empty where it is not held
 * @param lastFault where it is not held: the encoding of the last fault of its earlier lives, as
 *     long as that is in the feed
 * @param lived where it is not held: whether it was once, and was freed not too long ago
 */
public record Opening(Optional<Held> held, Optional<byte[]> lastFault, boolean lived) {}
