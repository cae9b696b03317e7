package harness.menu;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * One thing that an Agent can say.
 *
 * @param name 1 to 64 letters, digits, {@code _} and {@code -} of ASCII, as every provider takes
 * @param description at most {@value #MAX_DESCRIPTION_CHARS} characters; not blank
 * @param input JSON Schema of its input
 */
public record MenuTool(String name, String description, JsonNode input) {
  /** The longest description, in characters. */
  public static final int MAX_DESCRIPTION_CHARS = 16_384;

  /** What providers take as the name of a tool. */
  private static final String NAME = "[A-Za-z0-9_-]{1,64}";

  /**
   * Checks a tool that a caller brings.
   *
   * @throws IllegalArgumentException with a sentence that names the tool and the mend
   */
  public static MenuTool of(String name, String description, JsonNode input) {
    if (!name.matches(NAME)) {
      throw new IllegalArgumentException(
          "a menu tool's name is 1 to 64 letters, digits, '_' and '-'; got '"
              + (name.length() <= 80 ? name : name.substring(0, 80) + "...")
              + "'");
    }
    if (description.isBlank() || description.length() > MAX_DESCRIPTION_CHARS) {
      throw new IllegalArgumentException(
          "the description of '"
              + name
              + "' has "
              + description.length()
              + " characters; say in 1 to "
              + MAX_DESCRIPTION_CHARS
              + " what the pick means");
    }
    InputSchema.check(name, input);
    return new MenuTool(name, description, input);
  }

  /** The schema as models are offered it: one that leaves it open is one of an object. */
  @JsonIgnore
  public JsonNode schema() {
    if (input.has("type")) {
      return input;
    }
    ObjectNode typed = JsonNodeFactory.instance.objectNode().put("type", "object");
    return typed.setAll((ObjectNode) input);
  }
}
