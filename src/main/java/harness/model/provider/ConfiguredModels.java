package harness.model.provider;

import harness.agent.Dials;
import harness.agent.ModelName;
import harness.agent.ThinkingLevel;
import harness.fault.RefusedException;
import harness.model.Model;
import harness.model.Models;
import harness.model.Surroundings;
import harness.model.http.HttpProvider;
import harness.model.http.Traits;
import harness.model.scripted.ScriptedModel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The models of the configured providers, and nothing else. */
public final class ConfiguredModels implements Models, AutoCloseable {
  private final Surroundings surroundings;
  private final Catalogue catalogue = Catalogue.read();
  private final Map<String, Map<String, Entry>> providers;
  private final List<HttpProvider> open = new ArrayList<>();

  /**
   * @throws IllegalArgumentException when two providers have one id
   */
  public ConfiguredModels(List<ProviderConfig> configs, Surroundings surroundings) {
    this.surroundings = surroundings;
    providers = new LinkedHashMap<>();
    for (ProviderConfig config : configs) {
      Map<String, Entry> models =
          switch (config) {
            case ProviderConfig.Scripted scripted -> scripted(scripted);
            case ProviderConfig.Http http -> http(http);
          };
      if (providers.put(config.id(), models) != null) {
        throw new IllegalArgumentException(
            "two providers have the id '" + config.id() + "'; rename one");
      }
    }
  }

  @Override
  public Model find(Dials dials) {
    ModelName name = dials.model();
    Map<String, Entry> models = providers.get(name.provider());
    if (models == null) {
      throw RefusedException.invalid(
          "no provider '"
              + name.provider()
              + "' is configured; "
              + (providers.isEmpty()
                  ? "none is: add one under 'providers'"
                  : "known: " + String.join(", ", providers.keySet())),
          "model");
    }
    Entry entry = models.get(name.model());
    if (entry == null) {
      throw RefusedException.invalid(
          "provider '"
              + name.provider()
              + "' has no model '"
              + name.model()
              + "'; known: "
              + String.join(", ", models.keySet()),
          "model");
    }
    dials.thinkingLevel().ifPresent(level -> requireLevel(name, entry, level));
    return entry.model();
  }

  private static void requireLevel(ModelName name, Entry entry, ThinkingLevel level) {
    if (entry.config().thinkingLevels().isEmpty()) {
      return;
    }
    Set<ThinkingLevel> levels = entry.config().thinkingLevels().get();
    if (!levels.contains(level)) {
      throw RefusedException.invalid(
          "model '"
              + name
              + "' has no thinking level '"
              + wire(level)
              + "'; known: "
              + levels.stream().map(ConfiguredModels::wire).collect(Collectors.joining(", ")),
          "thinkingLevel");
    }
  }

  private static String wire(ThinkingLevel level) {
    return level.name().toLowerCase(Locale.ROOT);
  }

  private Map<String, Entry> scripted(ProviderConfig.Scripted config) {
    Map<String, Entry> models = new LinkedHashMap<>();
    config
        .script()
        .models()
        .forEach(
            (name, rules) ->
                models.put(
                    name,
                    entry(
                        config.id(),
                        new ScriptedModel(config.id() + "/" + name, rules, surroundings.sleeper()),
                        config.models().getOrDefault(name, ModelConfig.DEFAULT))));
    return models;
  }

  private Map<String, Entry> http(ProviderConfig.Http config) {
    HttpProvider provider = new HttpProvider(config.server(), surroundings);
    open.add(provider);
    Map<String, Entry> models = new LinkedHashMap<>();
    config
        .models()
        .forEach(
            (name, model) -> {
              ModelConfig wanted = model.over(config.defaults());
              ModelConfig whole = wanted.over(catalogue.of(config.server().api(), name));
              Traits traits =
                  new Traits(
                      wanted.maxTokens(), whole.limits(), whole.adaptiveThinking().orElse(false));
              models.put(name, entry(config.id(), provider.model(name, traits), whole));
            });
    return models;
  }

  private Entry entry(String provider, Model model, ModelConfig config) {
    Model shown = config.images().orElse(false) ? model : new WithoutImages(model);
    return new Entry(
        new ConfiguredModel(provider, shown, config, surroundings.clock(), surroundings.watch()),
        config);
  }

  /** What keeps providers from being called now: a sentence for each, with its mend. */
  public List<String> lacks() {
    return open.stream().flatMap(provider -> provider.lack().stream()).toList();
  }

  /** Makes what the first call to each provider needs. */
  public void prepare() {
    open.forEach(HttpProvider::prepare);
  }

  /** Ends the connections to the providers, and the calls that still go on. */
  @Override
  public void close() {
    open.forEach(HttpProvider::close);
  }

  private record Entry(Model model, ModelConfig config) {}
}
