package harness.model.scripted;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;

/** Reads scripts: what is misspelt or of another type is refused, naming its place. */
final class ScriptReader {
  /** The longest script. */
  static final int MAX_SCRIPT_BYTES = 4 * 1024 * 1024;

  private static final JsonMapper MAPPER =
      JsonMapper.builder(new YAMLFactory())
          .addModule(new Jdk8Module())
          .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
          .defaultSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY))
          .build();

  private ScriptReader() {}

  static Script read(Path file) throws ScriptException {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(MAX_SCRIPT_BYTES + 1);
    } catch (IOException e) {
      throw new ScriptException("the script " + file + " can't be read: " + e, e);
    }
    if (bytes.length > MAX_SCRIPT_BYTES) {
      throw new ScriptException(
          "the script " + file + " is longer than " + MAX_SCRIPT_BYTES + " bytes; split it");
    }
    return parse(new String(bytes, StandardCharsets.UTF_8), file.toString());
  }

  static Script parse(String yaml, String name) throws ScriptException {
    try {
      return Objects.requireNonNull(MAPPER.readValue(yaml, Script.class));
    } catch (JsonProcessingException e) {
      throw new ScriptException(sentence(name, e), e);
    }
  }

  static Script of(JsonNode tree, String name) throws ScriptException {
    try {
      return Objects.requireNonNull(MAPPER.treeToValue(tree, Script.class));
    } catch (JsonProcessingException e) {
      throw new ScriptException(sentence(name, e), e);
    }
  }

  private static String sentence(String name, JsonProcessingException failure) {
    String place = "";
    if (failure instanceof JsonMappingException mapping && !mapping.getPath().isEmpty()) {
      // The path is exact; the line is where the parser stood, which is often the next one.
      place = ", at " + path(mapping);
    } else if (failure.getLocation() != null && failure.getLocation().getLineNr() > 0) {
      place = ", line " + failure.getLocation().getLineNr();
    }
    return "the script " + name + place + ": " + what(failure);
  }

  private static String what(JsonProcessingException failure) {
    return switch (failure) {
      case UnrecognizedPropertyException unknown ->
          "unknown key '"
              + unknown.getPropertyName()
              + "'; known here: "
              + unknown.getKnownPropertyIds().stream()
                  .map(Object::toString)
                  .sorted()
                  .collect(Collectors.joining(", "));
      case ValueInstantiationException refused when refused.getCause() != null ->
          String.valueOf(refused.getCause().getMessage());
      case InvalidFormatException format
          when format.getTargetType() != null && format.getTargetType().isEnum() ->
          "unknown value '" + format.getValue() + "'; known here: " + constants(format);
      default -> failure.getOriginalMessage();
    };
  }

  private static String constants(InvalidFormatException format) {
    return Arrays.stream(format.getTargetType().getEnumConstants())
        .map(Object::toString)
        .collect(Collectors.joining(", "));
  }

  private static String path(JsonMappingException failure) {
    return failure.getPath().stream()
        .map(step -> step.getFieldName() == null ? "" + step.getIndex() : step.getFieldName())
        .collect(Collectors.joining("."));
  }
}
