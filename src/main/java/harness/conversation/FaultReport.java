package harness.conversation;

import harness.agent.Instance;

/** A fault in the feed of all faults: whose it was and what it did. */
public record FaultReport(Instance instance, String submissionId, Settlement.Failed settlement) {}
