package harness.conversation;

/**
 * How much may wait and run at once.
 *
 * @param liveTurns Turns that run, in the whole process
 * @param queue Submissions that wait on one conversation, the running one not counted
 * @param queueTotal Submissions that are unsettled, in the whole process
 */
public record Limits(int liveTurns, int queue, int queueTotal) {}
