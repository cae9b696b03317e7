package harness.tool;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The JSON Schema of a tool's input. The same calls in the same order give the same bytes. */
final class Schema {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final ObjectNode properties = JSON.objectNode();
  private final ArrayNode required = JSON.arrayNode();

  static Schema object() {
    return new Schema();
  }

  Schema required(String name, ObjectNode type) {
    properties.set(name, type);
    required.add(name);
    return this;
  }

  Schema optional(String name, ObjectNode type) {
    properties.set(name, type);
    return this;
  }

  ObjectNode build() {
    ObjectNode schema = JSON.objectNode();
    schema.put("type", "object");
    schema.set("properties", properties);
    schema.set("required", required);
    schema.put("additionalProperties", false);
    return schema;
  }

  static ObjectNode text(String description) {
    return typed("string", description);
  }

  static ObjectNode wholeNumber(String description) {
    return typed("integer", description);
  }

  static ObjectNode flag(String description) {
    return typed("boolean", description);
  }

  static ObjectNode choice(String description, String... values) {
    ObjectNode schema = text(description);
    var names = schema.putArray("enum");
    for (String value : values) {
      names.add(value);
    }
    return schema;
  }

  static ObjectNode list(String description, ObjectNode items) {
    ObjectNode schema = typed("array", description);
    schema.set("items", items);
    return schema;
  }

  private static ObjectNode typed(String type, String description) {
    ObjectNode schema = JSON.objectNode();
    schema.put("type", type);
    schema.put("description", description);
    return schema;
  }
}
