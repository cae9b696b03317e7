package harness.agent;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.List;
import java.util.Optional;

/**
 * Identity: who an Agent is, the same in each of its Turns.
 *
 * @param model the model it runs on unless a Turn's Dials say otherwise
 * @param instructions what it is told before anything else; not blank
 * @param workspace what it may do there
 * @param thinkingLevel how hard it thinks unless a Turn's Dials say otherwise; empty leaves that to
 *     the model
 * @param writes what becomes of its changes to files
 * @param approve the Working tools whose calls wait for an answer
 */
public record Definition(
    ModelName model,
    String instructions,
    Access workspace,
    Optional<ThinkingLevel> thinkingLevel,
    @JsonSetter(nulls = Nulls.AS_EMPTY) Writes writes,
    @JsonSetter(nulls = Nulls.AS_EMPTY) List<String> approve) {
  public Definition {
    approve = List.copyOf(approve);
  }

  /** What becomes of an Agent's changes to files. */
  public enum Writes {
    /** They are made. */
    @JsonEnumDefaultValue
    DIRECT,
    /** They are proposed, and made when someone accepts them. */
    SUGGEST
  }
}
