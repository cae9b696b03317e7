package harness.workspace;

import java.io.IOException;

/**
 * A path argument that can't be used; the message names the path, the root it concerns and the
 * mend.
 */
public final class PathException extends IOException {
  private static final long serialVersionUID = 1L;

  /** What is wrong with it. */
  public enum Kind {
    /** Not a path at all: empty, a NUL, too long. */
    INVALID,
    /** Not absolute or not normalised where that is asked for. */
    NOT_ABSOLUTE,
    /** Outside the write root for a write, outside the read root for a read. */
    OUTSIDE,
    /** One of git's own files, which file tools don't touch. */
    GIT_OWN,
    /** Nothing is there. */
    NOT_FOUND,
    /** Something on the way to it is no directory, or it is none itself. */
    NOT_A_DIRECTORY,
    /** No regular file: a directory, FIFO, socket, device. */
    NOT_A_FILE,
    /** Something is there already. */
    EXISTS,
    /** More lies below it than one call takes. */
    TOO_MUCH,
    /** Links that lead in circles. */
    LINK_LOOP,
    /** The system says no: permissions, read-only, no space. */
    SYSTEM
  }

  private final Kind kind;

  public PathException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  public PathException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
