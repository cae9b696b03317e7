package harness.model.provider;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import harness.agent.ThinkingLevel;
import harness.model.http.Api;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What well-known models are, for what configuration does not say; data that the program brings.
 */
final class Catalogue {
  private static final String RESOURCE = "catalogue.yaml";

  /** What stands behind a name where it is a version of the same model. */
  private static final Pattern VERSION = Pattern.compile("-(latest|\\d{8}|\\d{4}-\\d{2}-\\d{2})$");

  private record Key(Api api, String name) {}

  private final Map<Key, ModelConfig> models;

  private Catalogue(Map<Key, ModelConfig> models) {
    this.models = models;
  }

  /** The one that the program brings. */
  static Catalogue read() {
    try (InputStream in = Catalogue.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException(RESOURCE + " is not part of this program; build it anew");
      }
      return read(new YAMLMapper().readTree(in));
    } catch (IOException e) {
      throw new UncheckedIOException(RESOURCE + " can't be read", e);
    }
  }

  private static Catalogue read(JsonNode groups) {
    Map<Key, ModelConfig> models = new HashMap<>();
    for (JsonNode group : groups) {
      for (JsonNode api : group.path("apis")) {
        group
            .path("models")
            .properties()
            .forEach(
                model ->
                    models.put(
                        new Key(api(api.asText()), model.getKey()), model(model.getValue())));
      }
    }
    return new Catalogue(models);
  }

  private static Api api(String name) {
    return Api.named(name).orElseThrow(() -> new IllegalStateException("no API is " + name));
  }

  private static ModelConfig model(JsonNode facts) {
    Set<ThinkingLevel> levels = EnumSet.noneOf(ThinkingLevel.class);
    facts
        .path("thinking-levels")
        .forEach(
            level -> levels.add(ThinkingLevel.valueOf(level.asText().toUpperCase(Locale.ROOT))));
    return new ModelConfig(
        OptionalInt.of(facts.path("context-window").asInt()),
        OptionalInt.of(facts.path("max-tokens").asInt()),
        Optional.of(levels),
        Optional.of(facts.path("images").asBoolean()),
        Optional.of(facts.path("adaptive-thinking").asBoolean(false)),
        Optional.empty());
  }

  /** What is known of a model of a server that speaks this API; nothing where it is not here. */
  ModelConfig of(Api api, String name) {
    String plain = VERSION.matcher(name).replaceFirst("");
    return models.getOrDefault(new Key(api, plain), ModelConfig.DEFAULT);
  }

  /** How many there are, each once for each of its APIs. */
  int size() {
    return models.size();
  }
}
