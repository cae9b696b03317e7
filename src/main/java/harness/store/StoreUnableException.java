package harness.store;

/**
 * The store can't read or write now: no space, an I/O error, or closed. Nothing of the failed
 * append is stored. The message names the file and the mend.
 */
public final class StoreUnableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean mayBeStored;

  private StoreUnableException(String message, Throwable cause, boolean mayBeStored) {
    super(message, cause);
    this.mayBeStored = mayBeStored;
  }

  public StoreUnableException(String message, Throwable cause) {
    this(message, cause, false);
  }

  public StoreUnableException(String message) {
    super(message);
    this.mayBeStored = false;
  }

  /** A sync failed under a change: only the next start can tell whether it is on the disk. */
  static StoreUnableException unknown(String message, Throwable cause) {
    return new StoreUnableException(message, cause, true);
  }

  /** Whether what was to be stored may be there all the same. */
  public boolean mayBeStored() {
    return mayBeStored;
  }
}
