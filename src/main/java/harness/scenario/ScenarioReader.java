package harness.scenario;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.InvalidTypeIdException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import harness.model.scripted.Script;
import harness.model.scripted.ScriptException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads scenarios: what is misspelt or of another type is refused, naming its place. */
public final class ScenarioReader {
  private static final String ENDING = ".yaml";

  private static final JsonMapper MAPPER =
      JsonMapper.builder(new YAMLFactory())
          .addModule(new Jdk8Module())
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .defaultSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY))
          .build();

  private ScenarioReader() {}

  /** The file as it is written. */
  private record Document(
      @JsonProperty("scenario") String title,
      Optional<Scenario.Workspace> workspace,
      JsonNode script,
      JsonNode rights,
      Map<String, String> limits,
      @JsonProperty("context-window") OptionalInt contextWindow,
      List<Step> steps) {}

  /**
   * Reads one file, or every {@code .yaml} file of a directory in the order of their names.
   *
   * @throws ScenarioFormatException when one of them can't be read or is no scenario
   */
  public static List<Scenario> readAll(Path path) throws ScenarioFormatException {
    if (!Files.isDirectory(path)) {
      return List.of(read(path));
    }
    List<Path> files;
    try (Stream<Path> entries = Files.list(path)) {
      files = entries.filter(file -> file.toString().endsWith(ENDING)).sorted().toList();
    } catch (IOException unread) {
      throw new ScenarioFormatException(path + " can't be listed: " + unread, unread);
    }
    if (files.isEmpty()) {
      throw new ScenarioFormatException(path + " holds no file that ends with " + ENDING);
    }
    List<Scenario> scenarios = new ArrayList<>();
    for (Path file : files) {
      scenarios.add(read(file));
    }
    return List.copyOf(scenarios);
  }

  private static Scenario read(Path file) throws ScenarioFormatException {
    String name = Objects.requireNonNull(file.getFileName()).toString();
    try {
      return parse(
          Files.readString(file),
          name.endsWith(ENDING) ? name.substring(0, name.length() - ENDING.length()) : name);
    } catch (IOException unread) {
      throw new ScenarioFormatException(file + " can't be read: " + unread, unread);
    }
  }

  /**
   * Reads the text of a scenario.
   *
   * @param name letters, digits, {@code -} and {@code _}
   * @throws ScenarioFormatException when it is none
   */
  public static Scenario parse(String yaml, String name) throws ScenarioFormatException {
    try {
      return of(MAPPER.readTree(yaml), name);
    } catch (JsonProcessingException broken) {
      throw new ScenarioFormatException(sentence(name, broken), broken);
    }
  }

  /** Takes a scenario that was read as a tree; see {@link #parse}. */
  static Scenario of(JsonNode tree, String name) throws ScenarioFormatException {
    if (!name.matches("[A-Za-z0-9_-]+")) {
      throw new ScenarioFormatException(
          "the file name '" + name + "' must be of letters, digits, '-' and '_'");
    }
    Document document;
    try {
      document = Objects.requireNonNull(MAPPER.treeToValue(tree, Document.class));
    } catch (JsonProcessingException wrong) {
      throw new ScenarioFormatException(sentence(name, wrong), wrong);
    }
    if (document.title().isEmpty() || document.steps().isEmpty()) {
      throw new ScenarioFormatException(
          name + ": a scenario has a sentence under 'scenario' and at least one of 'steps'");
    }
    checkScript(name, document.script());
    return new Scenario(
        name,
        document.title(),
        document.workspace().orElse(Scenario.Workspace.EMPTY),
        document.script(),
        document.rights(),
        document.limits(),
        document.contextWindow(),
        document.steps());
  }

  private static void checkScript(String name, JsonNode rules) throws ScenarioFormatException {
    try {
      Script.of(ScenarioScript.of(name, rules), name);
    } catch (ScriptException wrong) {
      throw new ScenarioFormatException(String.valueOf(wrong.getMessage()), wrong);
    }
  }

  private static String sentence(String name, JsonProcessingException failure) {
    JsonLocation location = failure.getLocation();
    String line =
        location == null || location.getLineNr() < 1 ? "" : ", line " + location.getLineNr();
    String place =
        failure instanceof JsonMappingException mapping && !mapping.getPath().isEmpty()
            ? ", at " + path(mapping)
            : "";
    return "the scenario " + name + line + place + ": " + what(failure);
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
      case InvalidTypeIdException step ->
          "unknown step '" + step.getTypeId() + "'; " + step.getOriginalMessage();
      case ValueInstantiationException refused when refused.getCause() != null ->
          String.valueOf(refused.getCause().getMessage());
      default -> failure.getOriginalMessage();
    };
  }

  private static String path(JsonMappingException failure) {
    return failure.getPath().stream()
        .map(
            step ->
                step.getFieldName() == null
                    ? Integer.toString(step.getIndex() + 1)
                    : step.getFieldName())
        .collect(Collectors.joining("."));
  }
}
