package harness.store;

/**
 * The store can't read or write now: no space, an I/O error, or closed. Nothing of the failed
 * append is stored. The message names the file and the mend.
 */
public sealed class StoreUnableException extends RuntimeException
    permits StoreLostException {
  private static final long serialVersionUID = 1L;

  public StoreUnableException(String message, Throwable cause) {
    super(message, cause);
  }

  public StoreUnableException(String message) {
    super(message);
  }
}
