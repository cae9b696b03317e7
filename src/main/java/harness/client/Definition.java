package harness.client;

import harness.api.AdmissionBody.DefinitionBody;
import java.util.List;
import java.util.Optional;

/**
 * Who an Agent is: its identity and one default.
 *
 * @param model {@code PROVIDER/MODEL}, unless a Turn says otherwise
 * @param workspace {@code write}, {@code read} or {@code none}
 * @param description for people; it is never sent
 * @param approve names of tools whose calls wait for an answer
 * @param writes {@code direct} or {@code suggest}
 */
public record Definition(
    String model,
    String instructions,
    Optional<String> workspace,
    Optional<String> thinkingLevel,
    Optional<String> description,
    Optional<List<String>> approve,
    Optional<String> writes) {
  /**
   * @throws IllegalArgumentException where what was read has no model or no instructions
   */
  public Definition {
    if (model == null || instructions == null) {
      throw new IllegalArgumentException("a definition needs 'model' and 'instructions'");
    }
  }

  /** An Agent that may change files. */
  public static Definition of(String model, String instructions) {
    return of(model, instructions, "write");
  }

  /** An Agent with this access to the workspace. */
  public static Definition of(String model, String instructions, String workspace) {
    return new Definition(
        model,
        instructions,
        Optional.of(workspace),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  DefinitionBody body() {
    return new DefinitionBody(
        Optional.of(model),
        Optional.of(instructions),
        workspace,
        thinkingLevel,
        Optional.empty(),
        approve,
        writes);
  }
}
