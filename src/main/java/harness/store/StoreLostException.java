package harness.store;

/**
 * A sync failed under this change: it may be on the disk or not, and only the next start can tell.
 */
public final class StoreLostException extends StoreUnableException {
  private static final long serialVersionUID = 1L;

  StoreLostException(String message, Throwable cause) {
    super(message, cause);
  }
}
