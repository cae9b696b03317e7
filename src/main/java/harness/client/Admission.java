package harness.client;

import java.util.Optional;

/**
 * A Submission that is on the stable storage of the Harness: plain data to persist, with which any
 * process can wait for its end.
 *
 * @param key the idempotency key that it was sent under
 * @param instanceId the conversation that it landed on
 * @param epoch the epoch of its address
 * @param isNew whether it began that conversation
 * @param offset reading from it shows every event of the Submission and nothing before it
 * @param ahead how many unsettled Submissions were in front of it
 */
public record Admission(
    Address address,
    boolean continues,
    Optional<String> key,
    String instanceId,
    int epoch,
    boolean isNew,
    String submissionId,
    String offset,
    int ahead) {

  /** Where its end is waited for. */
  public Bookmark bookmark() {
    return new Bookmark(address.agent(), instanceId, offset);
  }
}
