package harness.model;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.JsonNode;

/** A piece of what a model said. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Part.Text.class, name = "text"),
  @JsonSubTypes.Type(value = Part.Thinking.class, name = "thinking"),
  @JsonSubTypes.Type(value = Part.Redacted.class, name = "redacted"),
  @JsonSubTypes.Type(value = Part.Call.class, name = "call")
})
public sealed interface Part {
  /** Words for the reader. */
  record Text(String text) implements Part {}

  /**
   * Words to itself; goes back byte for byte with its signature to the model that signed it, or not
   * at all.
   *
   * @param signature empty where there is none
   * @param model the model that signed it, {@code PROVIDER/MODEL}; empty where none did
   */
  record Thinking(String text, String signature, @JsonSetter(nulls = Nulls.AS_EMPTY) String model)
      implements Part {
    /** Words that nobody signed. */
    public Thinking(String text) {
      this(text, "", "");
    }

    /** Whether it may go back to a model. */
    public boolean signedBy(String asked) {
      return !signature.isEmpty() && model.equals(asked);
    }
  }

  /**
   * Words to itself that the provider hides; goes back as it is to the model that said it.
   *
   * @param model that model, {@code PROVIDER/MODEL}
   */
  record Redacted(String data, String model) implements Part {}

  /** A call of a tool. {@code callId} is unique within the reply. */
  record Call(String callId, String name, JsonNode input) implements Part {}
}
