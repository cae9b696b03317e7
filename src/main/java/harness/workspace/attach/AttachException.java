package harness.workspace.attach;

import org.jspecify.annotations.Nullable;

/** A step of an attach failed; the message says which and the mend. */
public final class AttachException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String slot;

  public AttachException(String slot, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.slot = slot;
  }

  /** Whose step it was. */
  public String slot() {
    return slot;
  }
}
