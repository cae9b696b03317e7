package harness.tool.socket;

/** There is no runner to speak to; the message says where, why and the mend. */
final class UnreachableException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean lasting;

  /**
   * @param lasting whether another try would end in the same way
   */
  UnreachableException(String message, boolean lasting) {
    super(message);
    this.lasting = lasting;
  }

  boolean lasting() {
    return lasting;
  }
}
