package harness.tool;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The arguments of one call, read against the schema of its tool. What a model most likely meant is
 * taken: a number or a flag as text, one thing for a list of one, a list as JSON text, {@code
 * file_path} for {@code path}. Everything else is refused with the field named and what is known.
 */
final class Arguments {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int SHOWN_CHARS = 60;

  private final String where;
  private final List<String> known;
  private final Map<String, JsonNode> fields;

  private Arguments(String where, List<String> known, Map<String, JsonNode> fields) {
    this.where = where;
    this.known = known;
    this.fields = fields;
  }

  /** Reads the input of a call: its fields are those of the spec, and the required ones there. */
  static Arguments of(ToolSpec spec, JsonNode input) throws ToolException {
    return of(spec.name(), spec.inputSchema(), input);
  }

  private static Arguments of(String where, JsonNode schema, JsonNode input) throws ToolException {
    JsonNode properties = schema.path("properties");
    List<String> required = new ArrayList<>();
    schema.path("required").forEach(name -> required.add(name.asText()));
    List<String> known = new ArrayList<>();
    properties
        .fieldNames()
        .forEachRemaining(name -> known.add(required.contains(name) ? name : name + "?"));
    JsonNode object = input.isNull() || input.isMissingNode() ? JSON.createObjectNode() : input;
    if (object.isTextual()) {
      object = parsed(object.asText()).orElse(object);
    }
    if (!object.isObject()) {
      throw new ToolException(
          where + " takes an object with " + String.join(", ", known) + ", not " + shown(input));
    }
    Map<String, JsonNode> fields = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> field : object.properties()) {
      take(where, properties, known, field, fields);
    }
    for (String name : required) {
      if (!fields.containsKey(name)) {
        throw new ToolException(
            where + ": the field '" + name + "' is missing; it takes " + String.join(", ", known));
      }
    }
    return new Arguments(where, known, fields);
  }

  private static void take(
      String where,
      JsonNode properties,
      List<String> known,
      Map.Entry<String, JsonNode> field,
      Map<String, JsonNode> fields)
      throws ToolException {
    Optional<String> name = FieldNames.known(properties, field.getKey());
    if (name.isEmpty()) {
      if (field.getValue().isNull()) {
        return;
      }
      throw new ToolException(
          where
              + ": there is no field '"
              + cut(field.getKey())
              + "'; it takes "
              + String.join(", ", known));
    }
    if (field.getValue().isNull()) {
      return;
    }
    if (fields.putIfAbsent(name.get(), field.getValue()) != null) {
      throw new ToolException(
          where + ": '" + cut(field.getKey()) + "' gives '" + name.get() + "' a second time");
    }
  }

  /** Whether a field of an input would be taken for one of the schema. */
  static boolean knows(JsonNode schema, String field) {
    return FieldNames.known(schema.path("properties"), field).isPresent();
  }

  boolean has(String name) {
    return fields.containsKey(name);
  }

  /** A text that the spec requires. */
  String text(String name) throws ToolException {
    return text(name, field(name));
  }

  Optional<String> optionalText(String name) throws ToolException {
    return has(name) ? Optional.of(text(name)) : Optional.empty();
  }

  /** A path that the spec requires, as {@link harness.workspace.Root} takes it. */
  String path(String name) throws ToolException {
    return Shown.argument(text(name));
  }

  /** The working directory where it is absent. */
  String optionalPath(String name) throws ToolException {
    return has(name) ? path(name) : ".";
  }

  /**
   * A whole number; one above {@code max} is taken as {@code max}, because every result says where
   * it stops.
   */
  int number(String name, int fallback, int min, int max) throws ToolException {
    if (!has(name)) {
      return fallback;
    }
    JsonNode value = field(name);
    double number;
    try {
      number = value.isTextual() ? Double.parseDouble(value.asText().strip()) : value.doubleValue();
    } catch (NumberFormatException e) {
      throw mistyped(name, "a whole number", value);
    }
    if (!(value.isNumber() || value.isTextual()) || number != Math.rint(number)) {
      throw mistyped(name, "a whole number", value);
    }
    if (number < min) {
      throw new ToolException(
          where + ": '" + name + "' is at least " + min + ", not " + shown(value));
    }
    return (int) Math.min(number, max);
  }

  /** False where it is absent. */
  boolean flag(String name) throws ToolException {
    if (!has(name)) {
      return false;
    }
    JsonNode value = field(name);
    if (value.isBoolean()) {
      return value.asBoolean();
    }
    return switch (value.asText().strip().toLowerCase(Locale.ROOT)) {
      case "true", "1" -> true;
      case "false", "0", "" -> {
        if (value.isContainerNode()) {
          throw mistyped(name, "true or false", value);
        }
        yield false;
      }
      default -> throw mistyped(name, "true or false", value);
    };
  }

  /** One of the values. */
  String choice(String name, String fallback, String... values) throws ToolException {
    if (!has(name)) {
      return fallback;
    }
    JsonNode value = field(name);
    String text = value.asText().strip().toLowerCase(Locale.ROOT);
    if (!Arrays.asList(values).contains(text)) {
      throw mistyped(name, "one of " + String.join(", ", values), value);
    }
    return text;
  }

  /** A list of texts; empty where it is absent. */
  List<String> texts(String name) throws ToolException {
    List<String> texts = new ArrayList<>();
    for (JsonNode item : items(name)) {
      texts.add(text(name + "[" + texts.size() + "]", item));
    }
    return texts;
  }

  /** A list of objects, each read against the schema of the items; empty where it is absent. */
  List<Arguments> objects(String name, JsonNode itemSchema) throws ToolException {
    List<Arguments> objects = new ArrayList<>();
    for (JsonNode item : items(name)) {
      objects.add(of(where + ": " + name + "[" + objects.size() + "]", itemSchema, item));
    }
    return objects;
  }

  private List<JsonNode> items(String name) throws ToolException {
    if (!has(name)) {
      return List.of();
    }
    JsonNode value = field(name);
    if (value.isTextual()) {
      value = parsed(value.asText()).orElse(value);
    }
    List<JsonNode> items = new ArrayList<>();
    if (value.isArray()) {
      value.forEach(items::add);
    } else {
      items.add(value);
    }
    return items;
  }

  private JsonNode field(String name) {
    JsonNode value = fields.get(name);
    if (value == null) {
      throw new IllegalStateException(
          where + " reads '" + name + "', which its schema does not require; it takes " + known);
    }
    return value;
  }

  private String text(String name, JsonNode value) throws ToolException {
    if (value.isContainerNode() || value.isNull()) {
      throw mistyped(name, "a text", value);
    }
    String text = value.asText();
    for (int i = 0; i < text.length(); i++) {
      if (Character.isHighSurrogate(text.charAt(i))
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
      } else if (Character.isSurrogate(text.charAt(i))) {
        throw new ToolException(
            where
                + ": '"
                + name
                + "' holds half a character (an unpaired surrogate) at position "
                + i
                + "; send the whole one");
      }
    }
    return text;
  }

  private ToolException mistyped(String name, String wanted, JsonNode value) {
    return new ToolException(where + ": '" + name + "' takes " + wanted + ", not " + shown(value));
  }

  /** An array or object written as text, as some models do with nested arguments. */
  private static Optional<JsonNode> parsed(String text) {
    try {
      JsonNode node = JSON.readTree(text);
      return node.isContainerNode() ? Optional.of(node) : Optional.empty();
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  private static String shown(JsonNode value) {
    return cut(value.toString());
  }

  private static String cut(String text) {
    return text.length() <= SHOWN_CHARS ? text : text.substring(0, SHOWN_CHARS) + "...";
  }
}
