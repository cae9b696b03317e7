package harness.conversation;

import harness.author.Actor;
import java.util.Optional;

/**
 * How a conversation stands before an admission.
 *
 * @param owner whom it belongs to
 * @param isNew whether it holds nothing yet
 * @param lived where it is new: whether an earlier life of it was freed
 */
public record Standing(Optional<Actor> owner, boolean isNew, boolean lived) {}
