package harness.author;

/** What is said to a proposal, or to a call that waits. */
public enum Decision {
  ACCEPT,
  REJECT
}
