package harness.store;

import harness.agent.Instance;

/** A stored event does not match its checksum: its conversation can't be read. */
public final class CorruptEventException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CorruptEventException(Instance instance, long sequence) {
    super(
        "event "
            + sequence
            + " of conversation "
            + instance
            + " does not match its checksum;"
            + " restore the state directory from a copy");
  }
}
