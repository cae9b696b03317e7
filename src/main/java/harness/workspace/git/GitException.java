package harness.workspace.git;

import java.io.IOException;

/** A repository or a revision that can't be used; the message names it and the mend. */
public final class GitException extends IOException {
  private static final long serialVersionUID = 1L;

  public GitException(String message) {
    super(message);
  }

  public GitException(String message, Throwable cause) {
    super(message, cause);
  }
}
