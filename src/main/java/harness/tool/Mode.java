package harness.tool;

import harness.agent.Definition;

/** What becomes of the changes to files that a call asks for. */
public enum Mode {
  /** They are made. */
  DIRECT,
  /** They are worked out and checked as far as that goes, and returned as a {@link Proposal}. */
  SUGGEST,
  /**
   * Someone accepts a proposal: they are made where each file is still in the version that the call
   * names in {@link ToolCall#seen()}, or still not there where it names none; else none of them is.
   */
  ACCEPT;

  /** That of the calls of an Agent. */
  public static Mode of(Definition.Writes writes) {
    return switch (writes) {
      case DIRECT -> DIRECT;
      case SUGGEST -> SUGGEST;
    };
  }
}
