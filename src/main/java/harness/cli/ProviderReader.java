package harness.cli;

import harness.agent.ThinkingLevel;
import harness.model.http.Api;
import harness.model.http.HttpProvider;
import harness.model.http.KeySource;
import harness.model.provider.ModelConfig;
import harness.model.provider.Price;
import harness.model.provider.ProviderConfig;
import harness.model.scripted.Script;
import harness.model.scripted.ScriptException;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads the providers of a configuration. */
final class ProviderReader {
  private static final int MOST_TOKENS = 100_000_000;

  private final FileSystem files;
  private final Overrides overrides;

  ProviderReader(FileSystem files, Overrides overrides) {
    this.files = files;
    this.overrides = overrides;
  }

  List<ProviderConfig> read(Section harness) {
    List<ProviderConfig> providers = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    for (Section section : harness.sections("providers", "id")) {
      String id = section.text("id").orElse("");
      if (!id.matches("[A-Za-z0-9][A-Za-z0-9_.-]*")) {
        section.fault("id", "each provider has an id of letters, digits, '_', '.' and '-'");
      } else if (!ids.add(id)) {
        section.fault("id", "there is another provider '" + id + "'; rename one");
      }
      try {
        provider(section, id).ifPresent(providers::add);
      } catch (IllegalArgumentException refused) {
        section.fault("id", String.valueOf(refused.getMessage()));
      }
      section.end();
    }
    return providers;
  }

  private Optional<ProviderConfig> provider(Section section, String id) {
    Map<String, ModelConfig> models = models(section.section("models"));
    String name = section.text("api").orElse("");
    if (name.equals("scripted")) {
      return script(section).map(script -> new ProviderConfig.Scripted(id, script, models));
    }
    Optional<Api> api = Api.named(name);
    if (api.isEmpty()) {
      section.fault("api", "must be one of " + apis() + ", scripted; got '" + name + "'");
      return Optional.empty();
    }
    if (models.isEmpty()) {
      section.fault("models", "needs at least one, like { qwen3: {} }");
    }
    return baseUrl(section)
        .filter(url -> !models.isEmpty())
        .map(
            url ->
                new ProviderConfig.Http(
                    new HttpProvider.Settings(
                        id,
                        api.get(),
                        url,
                        key(section),
                        ResilienceReader.timeLimits(section.section("time-limits")),
                        ResilienceReader.retry(section.section("retry")),
                        ResilienceReader.guards(section)),
                    model(section),
                    models));
  }

  private static String apis() {
    return Arrays.stream(Api.values()).map(Api::wireName).collect(Collectors.joining(", "));
  }

  private static Optional<URI> baseUrl(Section section) {
    Optional<String> text = section.text("base-url");
    if (text.isEmpty()) {
      section.fault("base-url", "name where it is, like http://127.0.0.1:9999/v1");
      return Optional.empty();
    }
    try {
      return Optional.of(new URI(text.get()));
    } catch (URISyntaxException noUrl) {
      section.fault("base-url", "is no URL: " + noUrl.getMessage());
      return Optional.empty();
    }
  }

  private KeySource key(Section section) {
    Optional<Path> file = section.path("api-key-file", files);
    Optional<String> variable = section.text("api-key-env");
    variable.ifPresent(overrides::foreign);
    if (file.isPresent() && variable.isPresent()) {
      section.fault("api-key-env", "api-key-file is there too; keep one of them");
    }
    return file.<KeySource>map(KeySource.File::new)
        .or(() -> variable.map(KeySource.Environment::new))
        .orElseGet(KeySource.None::new);
  }

  private Optional<Script> script(Section section) {
    Optional<Path> file = section.path("script", files);
    if (!section.has("script")) {
      section.fault("script", "a scripted provider names its file, like script: /etc/say.yaml");
    }
    if (file.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Script.read(file.get()));
    } catch (ScriptException wrong) {
      section.fault("script", String.valueOf(wrong.getMessage()));
      return Optional.empty();
    }
  }

  private static Map<String, ModelConfig> models(Section section) {
    Map<String, ModelConfig> models = new LinkedHashMap<>();
    for (String name : section.keys()) {
      Section model = section.section(name);
      models.put(name, model(model));
      model.end();
    }
    return models;
  }

  private static ModelConfig model(Section section) {
    return new ModelConfig(
        tokens(section, "context-window"),
        tokens(section, "max-tokens"),
        levels(section),
        flag(section, "images"),
        flag(section, "adaptive-thinking"),
        price(section));
  }

  private static Optional<Price> price(Section model) {
    if (!model.has("price")) {
      return Optional.empty();
    }
    Section price = model.section("price");
    BigDecimal input = amount(price, "input");
    BigDecimal output = amount(price, "output");
    BigDecimal cached = price.has("cached-input") ? amount(price, "cached-input") : input;
    price.end();
    return Optional.of(new Price(input, cached, output));
  }

  private static BigDecimal amount(Section price, String key) {
    if (!price.has(key)) {
      price.fault(key, "a price per million tokens is missing, like 2.50");
    }
    return price.parsed(
        key,
        BigDecimal.ZERO,
        text ->
            text.matches("[0-9]{1,9}(\\.[0-9]{1,17})?(E-[0-9]{1,2})?")
                ? Optional.of(new BigDecimal(text))
                : Optional.empty(),
        "must be a price per million tokens, like 2.50");
  }

  private static Optional<Boolean> flag(Section section, String key) {
    return section.has(key)
        ? Optional.of(
            section.parsed(
                key,
                false,
                text ->
                    switch (text) {
                      case "true" -> Optional.of(true);
                      case "false" -> Optional.of(false);
                      default -> Optional.empty();
                    },
                "must be true or false"))
        : Optional.empty();
  }

  private static OptionalInt tokens(Section section, String key) {
    return section.has(key)
        ? OptionalInt.of(section.count(key, 1, 1, MOST_TOKENS))
        : OptionalInt.empty();
  }

  private static Optional<Set<ThinkingLevel>> levels(Section model) {
    if (!model.has("thinking-levels")) {
      return Optional.empty();
    }
    Map<String, ThinkingLevel> known = ConfigurationReader.byName(ThinkingLevel.values());
    Set<ThinkingLevel> levels = EnumSet.noneOf(ThinkingLevel.class);
    for (String name : model.texts("thinking-levels")) {
      Optional.ofNullable(known.get(name))
          .ifPresentOrElse(
              levels::add,
              () ->
                  model.fault(
                      "thinking-levels",
                      "each is one of "
                          + String.join(", ", known.keySet())
                          + "; got '"
                          + name
                          + "'"));
    }
    return levels.isEmpty() ? Optional.empty() : Optional.of(levels);
  }
}
