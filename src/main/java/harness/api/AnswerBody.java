package harness.api;

import harness.api.AdmissionBody.AuthorBody;
import java.util.Optional;

/**
 * The body of an answer to a call that waits or to a proposal.
 *
 * @param callId which one
 * @param decision {@code accept} or {@code reject}
 * @param note what the model is told beside it
 */
public record AnswerBody(
    Optional<String> callId,
    Optional<String> decision,
    Optional<String> note,
    Optional<AuthorBody> author) {}
