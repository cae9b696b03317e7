package harness.api;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * The answer to an admission; the Submission is on stable storage.
 *
 * @param instanceId the conversation it landed on
 * @param isNew whether this admission created the conversation
 * @param streamUrl where the conversation is read
 * @param offset reading from it shows every event of this Submission and nothing before it
 * @param ahead how many unsettled Submissions are in front of it
 */
public record AdmissionAnswer(
    String instanceId,
    int epoch,
    @JsonProperty("new") boolean isNew,
    String submissionId,
    String streamUrl,
    String offset,
    int ahead) {}
