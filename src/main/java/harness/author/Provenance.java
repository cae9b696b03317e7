package harness.author;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Optional;

/**
 * Whose word something in a conversation is, as its readers weigh it. It is on all that is said and
 * done there: a reader that finds none would trust it more than it does the lowest.
 */
public enum Provenance {
  /** Of whom the conversation belongs to. */
  @JsonProperty("owner")
  OWNER,
  /** Of another person, or of somebody's client. */
  @JsonProperty("other")
  OTHER,
  /** Of no one: the system, an evaluator, or an agent on its own; or nobody wrote down whose. */
  @JsonEnumDefaultValue
  @JsonProperty("none")
  NONE;

  /**
   * The provenance of what was said or done for an author.
   *
   * @param author whom it was for; no one where this acts for no one
   * @param owner whom the conversation belongs to
   */
  public static Provenance of(Actor author, Optional<Actor> owner) {
    if (author.actsFor().isEmpty()) {
      return NONE;
    }
    return owner.filter(one -> Principal.same(one, author)).isPresent() ? OWNER : OTHER;
  }
}
