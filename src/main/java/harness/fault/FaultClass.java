package harness.fault;

/** What kind of terminal end a Turn met, and whether its conversation is worth continuing. */
public enum FaultClass {
  /** The mechanism failed: a provider, a limit, the Harness itself. */
  INFRA("infra", true),
  /** The Turn ended without a Pick although its Menu asked for one. */
  NO_SIGNAL("no-signal", true),
  /** The model went on without end, or in circles. */
  RUNAWAY("runaway", true),
  /** The Harness ended in the middle of the Turn; it holds the conversation still. */
  TURN_LOST("turn-lost", false),
  /** The pod ran out of memory under the Turn; the conversation is held still. */
  MEMORY_LIMIT("memory-limit", false);

  private final String wireName;
  private final boolean burns;

  FaultClass(String wireName, boolean burns) {
    this.wireName = wireName;
    this.burns = burns;
  }

  public String wireName() {
    return wireName;
  }

  /** Whether the conversation is never continued after it. */
  public boolean burns() {
    return burns;
  }
}
