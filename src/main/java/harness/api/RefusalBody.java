package harness.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Optional;

/**
 * The body of a request that was refused.
 *
 * @param error a sentence that names the thing and the mend
 * @param field the part of the request that is wrong, where it is one
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record RefusalBody(String error, Optional<String> field) {}
