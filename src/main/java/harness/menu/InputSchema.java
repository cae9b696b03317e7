package harness.menu;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * JSON Schema, as the inputs of Menu tools have it. Nothing that a schema refers to is fetched, and
 * its expressions are matched in linear time, because a model writes what they are matched against.
 */
final class InputSchema {
  /** The largest schema of one tool, in bytes of JSON. */
  static final int MAX_BYTES = 64 * 1024;

  /** How deep a schema may be nested: its check and its use go as deep. */
  static final int MAX_DEPTH = 64;

  /** The most faults that a model is told at once. */
  private static final int MAX_FAULTS = 8;

  /** The most characters of one fault, which may quote an input. */
  private static final int MAX_FAULT_CHARS = 300;

  private static final SchemaRegistryConfig CONFIG =
      SchemaRegistryConfig.builder()
          .regularExpressionFactory(
              expression -> {
                Pattern pattern = Pattern.compile(expression);
                return text -> pattern.matcher(text).find();
              })
          .locale(Locale.ROOT)
          .build();

  private InputSchema() {}

  /** A registry keeps what it was asked for by the names that schemas give themselves. */
  private static SchemaRegistry registry() {
    return SchemaRegistry.withDefaultDialect(
        SpecificationVersion.DRAFT_2020_12,
        builder ->
            builder
                .schemaRegistryConfig(CONFIG)
                .schemaCacheEnabled(false)
                .schemaLoader(loader -> loader.fetchRemoteResources(false)));
  }

  /**
   * @throws IllegalArgumentException where it is no schema of an object, with what is wrong
   */
  static void check(String tool, JsonNode schema) {
    requireSize(tool, schema);
    if (!schema.isObject()
        || (schema.has("type") && !schema.path("type").asText().equals("object"))) {
      throw no(tool, "it has to be one of an object; write \"type\": \"object\"");
    }
    walk(tool, schema, 1);
    SpecificationVersion version = version(tool, schema);
    Schema meta = registry().getSchema(SchemaLocation.of(version.getDialectId()));
    List<Error> faults = meta.validate(schema);
    if (!faults.isEmpty()) {
      throw no(tool, sentence(faults));
    }
    try {
      // What it refers to has to be there, and may not refer to itself without end.
      registry().getSchema(schema).initializeValidators();
      faults(schema, JsonNodeFactory.instance.objectNode());
    } catch (SchemaException e) {
      throw no(tool, String.valueOf(e.getMessage()));
    }
  }

  /** What is wrong with an input; empty where it fits. */
  static Optional<String> wrong(JsonNode schema, JsonNode input) {
    try {
      List<Error> faults = faults(schema, input);
      return faults.isEmpty() ? Optional.empty() : Optional.of(sentence(faults));
    } catch (SchemaException e) {
      return Optional.of("it can't be checked against its schema: " + e.getMessage());
    }
  }

  private static List<Error> faults(JsonNode schema, JsonNode input) {
    try {
      return registry().getSchema(schema).validate(input);
    } catch (StackOverflowError _) {
      throw new SchemaException("the schema refers to itself without end");
    }
  }

  private static void requireSize(String tool, JsonNode schema) {
    int bytes = schema.toString().getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_BYTES) {
      throw no(tool, "it has " + bytes + " bytes; the most are " + MAX_BYTES);
    }
  }

  private static SpecificationVersion version(String tool, JsonNode schema) {
    if (!schema.has("$schema")) {
      return SpecificationVersion.DRAFT_2020_12;
    }
    return SpecificationVersion.fromDialectId(schema.path("$schema").asText())
        .orElseThrow(
            () ->
                no(
                    tool,
                    "its $schema is "
                        + shown(schema.path("$schema").toString())
                        + "; leave it out for draft 2020-12, or name a published draft"));
  }

  private static void walk(String tool, JsonNode node, int depth) {
    if (depth > MAX_DEPTH) {
      throw no(tool, "it is nested deeper than " + MAX_DEPTH + " levels");
    }
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      String text = field.getValue().isTextual() ? field.getValue().textValue() : "";
      switch (field.getKey()) {
        case "$ref", "$dynamicRef", "$recursiveRef" -> {
          if (!text.isEmpty() && !text.startsWith("#")) {
            throw no(
                tool,
                "it refers to "
                    + shown(text)
                    + ", and nothing is fetched; put that under $defs and write #/$defs/NAME");
          }
        }
        case "$id" -> {
          if (!text.isEmpty()) {
            throw no(tool, "it names itself by $id, which nothing can refer to; leave that out");
          }
        }
        case "pattern" -> requireExpression(tool, text);
        case "patternProperties" ->
            field.getValue().fieldNames().forEachRemaining(name -> requireExpression(tool, name));
        default -> {}
      }
    }
    node.forEach(child -> walk(tool, child, depth + 1));
  }

  private static void requireExpression(String tool, String expression) {
    try {
      Pattern.compile(expression);
    } catch (PatternSyntaxException e) {
      throw no(
          tool,
          "the expression "
              + shown(expression)
              + " is none that is matched in linear time ("
              + e.getDescription()
              + "); write it without look-around and back-references");
    }
  }

  private static IllegalArgumentException no(String tool, String why) {
    return new IllegalArgumentException(
        "the input of the menu tool '" + tool + "' is no JSON Schema that can be used: " + why);
  }

  private static String sentence(List<Error> faults) {
    String first =
        faults.stream()
            .limit(MAX_FAULTS)
            .map(fault -> shown(place(fault) + " " + fault.getMessage()))
            .collect(Collectors.joining("; "));
    int more = faults.size() - MAX_FAULTS;
    return more > 0 ? first + "; and " + more + " more" : first;
  }

  private static String place(Error fault) {
    String pointer = String.valueOf(fault.getInstanceLocation());
    return pointer.isEmpty() ? "the whole:" : pointer + ":";
  }

  private static String shown(String text) {
    return text.length() <= MAX_FAULT_CHARS ? text : text.substring(0, MAX_FAULT_CHARS) + "...";
  }
}
