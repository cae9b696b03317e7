package harness.client;

/**
 * Where a Submission is read from.
 *
 * @param offset the one that its admission answered; empty for the first of the conversation
 */
public record Bookmark(String agent, String instanceId, String offset) {}
