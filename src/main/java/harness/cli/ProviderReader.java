package harness.cli;

import harness.cli.Configuration.Api;
import harness.cli.Configuration.KeySource;
import harness.cli.Configuration.ModelLimits;
import harness.cli.Configuration.Provider;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Reads the providers of a configuration. */
final class ProviderReader {
  private static final int DEFAULT_CONTEXT_WINDOW_TOKENS = 131_072;
  private static final int DEFAULT_MAX_TOKENS = 8_192;
  private static final int MOST_TOKENS = 100_000_000;

  private final FileSystem files;
  private final Overrides overrides;

  ProviderReader(FileSystem files, Overrides overrides) {
    this.files = files;
    this.overrides = overrides;
  }

  List<Provider> read(Section harness) {
    List<Provider> providers = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    for (Section section : harness.sections("providers", "id")) {
      Provider provider = provider(section);
      if (!ids.add(provider.id())) {
        section.fault("id", "there is another provider '" + provider.id() + "'; rename one");
      }
      providers.add(provider);
      section.end();
    }
    return providers;
  }

  private Provider provider(Section section) {
    String id = section.text("id").orElse("");
    if (!id.matches("[A-Za-z0-9][A-Za-z0-9_.-]*")) {
      section.fault("id", "each provider has an id of letters, digits, '_', '.' and '-'");
    }
    if (!section.has("api")) {
      section.fault("api", "each provider says what it speaks, like api: openai-chat");
    }
    Api api = section.choice("api", Api.OPENAI_CHAT, ConfigurationReader.byName(Api.values()));
    int window = section.count("context-window", DEFAULT_CONTEXT_WINDOW_TOKENS, 1, MOST_TOKENS);
    int most = section.count("max-tokens", DEFAULT_MAX_TOKENS, 1, MOST_TOKENS);
    Map<String, ModelLimits> models = new TreeMap<>();
    Section named = section.section("models");
    for (String name : named.keys()) {
      Section model = named.section(name);
      models.put(
          name,
          new ModelLimits(
              model.count("context-window", window, 1, MOST_TOKENS),
              model.count("max-tokens", most, 1, MOST_TOKENS)));
      model.end();
    }
    if (models.isEmpty()) {
      section.fault("models", "name at least one, like models: { qwen3: {} }");
    }
    return switch (api) {
      case SCRIPTED -> {
        Optional<Path> script = path(section, "script");
        if (script.isEmpty()) {
          section.fault("script", "a scripted provider names its file, like script: /etc/say.yaml");
        }
        yield new Provider(
            id, api, Optional.empty(), script, Optional.empty(), window, most, models);
      }
      case OPENAI_CHAT, OPENAI_RESPONSES, ANTHROPIC_MESSAGES ->
          new Provider(
              id, api, baseUrl(section), Optional.empty(), key(section), window, most, models);
    };
  }

  private static Optional<URI> baseUrl(Section section) {
    Optional<String> text = section.text("base-url");
    if (text.isEmpty()) {
      section.fault("base-url", "name where it is, like http://127.0.0.1:9999/v1");
      return Optional.empty();
    }
    try {
      URI uri = new URI(text.get());
      if (uri.getHost() != null
          && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
        return Optional.of(uri);
      }
    } catch (URISyntaxException noUri) {
      section.fault("base-url", "is no URL: " + noUri.getMessage());
      return Optional.empty();
    }
    section.fault("base-url", "must start with http:// or https://; got '" + text.get() + "'");
    return Optional.empty();
  }

  private Optional<KeySource> key(Section section) {
    Optional<Path> file = path(section, "api-key-file");
    Optional<String> variable = section.text("api-key-env");
    variable.ifPresent(overrides::foreign);
    if (file.isPresent() && variable.isPresent()) {
      section.fault("api-key-env", "api-key-file is there too; keep one of them");
    }
    return file.<KeySource>map(KeySource.InFile::new)
        .or(() -> variable.map(KeySource.InVariable::new));
  }

  private Optional<Path> path(Section section, String key) {
    Optional<Path> path = section.text(key).map(files::getPath);
    path.filter(given -> !given.isAbsolute())
        .ifPresent(given -> section.fault(key, "must be an absolute path; got '" + given + "'"));
    return path;
  }
}
