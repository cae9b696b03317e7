package harness.conversation;

import harness.agent.Instance;

/**
 * Where an admission came to stand.
 *
 * @param isNew whether it created the conversation
 * @param ahead how many unsettled Submissions are in front of it
 * @param offset the place before its first event
 */
public record Place(Instance instance, boolean isNew, int ahead, Offset offset) {}
