package harness.conversation;

/** The attempt was ended by someone else: whatever it would do now must not happen. */
public final class EndedException extends Exception {
  private static final long serialVersionUID = 1L;

  EndedException(String submissionId) {
    super("the Turn of Submission " + submissionId + " was ended");
  }
}
