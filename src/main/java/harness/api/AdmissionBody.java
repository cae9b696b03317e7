package harness.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;

/**
 * The body of an admission: {@code POST /turns} takes all of it but {@code message}; {@code POST
 * /agents/AGENT/INSTANCE-ID}, whose path says which conversation, neither {@code run}, {@code
 * path}, {@code agent}, {@code continue}, {@code epoch} nor {@code expectHeld}.
 *
 * @param message another name of {@code prompt}
 * @param cwd the working directory: absolute, normalised, inside the workspace root
 * @param continues whether it lands on the address's one continued conversation
 * @param menu everything that the Agent can say
 * @param allowed the names of the part of it that this Turn may say; all where it is left out
 * @param epoch the caller's own ledger of the address's epoch
 * @param expectHeld whether the caller expects the conversation to be held
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record AdmissionBody(
    Optional<String> run,
    Optional<String> path,
    Optional<String> agent,
    Optional<DefinitionBody> definition,
    Optional<String> prompt,
    Optional<String> message,
    Optional<String> cwd,
    @JsonProperty("continue") Optional<Boolean> continues,
    Optional<String> model,
    Optional<String> thinkingLevel,
    Optional<List<MenuToolBody>> menu,
    Optional<List<String>> allowed,
    Optional<AuthorBody> author,
    Optional<String> delivery,
    Optional<Integer> epoch,
    Optional<Boolean> expectHeld,
    Optional<List<NoticeBody>> notices) {

  /** Who the Agent is. {@code description} is for people and is dropped. */
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  public record DefinitionBody(
      Optional<String> model,
      Optional<String> instructions,
      Optional<String> workspace,
      Optional<String> thinkingLevel,
      Optional<JsonNode> description,
      Optional<List<String>> approve,
      Optional<String> writes) {}

  /** Who speaks. */
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  public record AuthorBody(
      Optional<String> kind, Optional<String> id, Optional<AuthorBody> onBehalfOf) {}

  /** One thing that the Agent can say; {@code input} is a JSON Schema. */
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  public record MenuToolBody(
      Optional<String> name, Optional<String> description, Optional<JsonNode> input) {}

  /** A fact for the model, told once. */
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  public record NoticeBody(
      Optional<String> kind,
      Optional<String> scope,
      Optional<String> agent,
      Optional<String> peak,
      Optional<String> limit,
      Optional<String> reason) {}
}
