package harness.conversation;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/**
 * A change of files that waits: accepting it makes the call anew, on files that are still as they
 * were.
 *
 * @param tool what was called
 * @param input its arguments as the model wrote them
 * @param cwd where the call works, absolute
 * @param path the files that it would change, as the call named them
 * @param diff what it would change, as a unified diff
 * @param madeFrom the version of each file that it was made from, by path
 * @param becomes the version that each has once it is accepted, by path
 */
public record Proposal(
    String tool,
    JsonNode input,
    String cwd,
    String path,
    String diff,
    @JsonSetter(nulls = Nulls.AS_EMPTY) Map<String, String> madeFrom,
    @JsonSetter(nulls = Nulls.AS_EMPTY) Map<String, String> becomes) {
  public Proposal {
    madeFrom = Map.copyOf(madeFrom);
    becomes = Map.copyOf(becomes);
  }
}
