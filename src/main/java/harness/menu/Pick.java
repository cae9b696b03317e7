package harness.menu;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The one call that ended a Turn.
 *
 * @param name the Menu tool that was called
 * @param input what it was called with; fits the tool's schema
 */
public record Pick(String name, JsonNode input) {}
