package harness.model;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A tool as a model sees it.
 *
 * @param inputSchema the JSON Schema of its input, an object, as it is sent
 */
public record ToolOffer(String name, String description, String inputSchema) {
  public ToolOffer(String name, String description, JsonNode inputSchema) {
    this(name, description, inputSchema.toString());
  }
}
