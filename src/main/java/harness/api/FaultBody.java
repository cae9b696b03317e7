package harness.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Optional;

/**
 * A fault, in a Settlement, in the feed of faults and in the refusal of a burned conversation.
 *
 * @param faultClass its kind
 * @param reason a sentence that names the thing and the mend
 * @param burned whether the conversation is never continued
 * @param epoch the bump of its address; empty where it has none
 * @param next the Instance ID that follows; empty where it has none
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record FaultBody(
    @JsonProperty("class") String faultClass,
    String reason,
    boolean burned,
    Optional<Bump> epoch,
    Optional<String> next) {

  /** The epochs that an address went from and to. */
  public record Bump(int from, int to) {}

  /** One line of {@code GET /faults}: whose fault it is. */
  public record Report(String agent, String instanceId, String submissionId, FaultBody fault) {}
}
