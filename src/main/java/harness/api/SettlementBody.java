package harness.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/**
 * The end of a Submission, in the event {@code submission-settled}.
 *
 * @param outcome {@code completed}, {@code failed} or {@code aborted}
 * @param causedBy the Submission whose burn ended this one too
 * @param joined the Submission whose Turn this one rode
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record SettlementBody(
    String submissionId,
    String outcome,
    Optional<ErrorBody> error,
    Optional<PickBody> pick,
    Optional<FaultBody> fault,
    Optional<String> causedBy,
    Optional<String> joined) {

  /** Why it did not complete. */
  public record ErrorBody(String type, String message) {}

  /** What its Turn ended with. */
  public record PickBody(String name, JsonNode input) {}
}
