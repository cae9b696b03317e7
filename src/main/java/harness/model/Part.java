package harness.model;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.JsonNode;

/** A piece of what a model said. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Part.Text.class, name = "text"),
  @JsonSubTypes.Type(value = Part.Thinking.class, name = "thinking"),
  @JsonSubTypes.Type(value = Part.Call.class, name = "call")
})
public sealed interface Part {
  /** Words for the reader. */
  record Text(String text) implements Part {}

  /** Words to itself; goes back byte for byte with its signature, or not at all. */
  record Thinking(String text, String signature) implements Part {}

  /** A call of a tool. {@code callId} is unique within the reply. */
  record Call(String callId, String name, JsonNode input) implements Part {}
}
