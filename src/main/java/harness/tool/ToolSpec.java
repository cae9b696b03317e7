package harness.tool;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What a Working tool is called, does and takes.
 *
 * @param description short, byte-stable, says that relative paths resolve at the working directory
 * @param inputSchema JSON Schema of its input: an object without additional properties
 * @param writes whether access {@code read} withholds it
 */
public record ToolSpec(String name, String description, JsonNode inputSchema, boolean writes) {}
