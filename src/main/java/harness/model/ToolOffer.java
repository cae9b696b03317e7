package harness.model;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A tool as a model sees it.
 *
 * @param inputSchema the JSON Schema of its input, an object
 */
public record ToolOffer(String name, String description, JsonNode inputSchema) {}
