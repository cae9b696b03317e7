package harness.admission;

/**
 * An accepted request.
 *
 * @param isNew whether it created the conversation
 * @param offset where its events begin
 * @param ahead how many unsettled Submissions are in front of it
 * @param replayed whether this is the answer that its idempotency key got before
 */
public record Admission(
    String instanceId,
    int epoch,
    boolean isNew,
    String submissionId,
    String offset,
    int ahead,
    boolean replayed) {
  Admission again() {
    return new Admission(instanceId, epoch, isNew, submissionId, offset, ahead, true);
  }
}
