package harness.model.provider;

import harness.model.http.HttpProvider;
import harness.model.http.KeySource;
import harness.model.scripted.Script;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One provider, as configuration names it; the kind of record is its {@code api}. Constructors
 * throw {@link IllegalArgumentException} with a sentence that names the key and the mend.
 */
public sealed interface ProviderConfig {
  /** The id by which callers name it, before the slash of {@code PROVIDER/MODEL}. */
  String id();

  /** Settings of single models, by name. */
  Map<String, ModelConfig> models();

  /** Where the key for it is. */
  KeySource key();

  /** Whether this process holds a key for it. */
  default boolean hasKey() {
    return !(key() instanceof KeySource.None);
  }

  /**
   * {@code api: scripted}: the script says which models there are.
   *
   * @param models settings of single models, by name; one that the script lacks is refused
   */
  record Scripted(String id, Script script, Map<String, ModelConfig> models)
      implements ProviderConfig {
    public Scripted {
      requireId(id);
      models = copy(models);
      for (String name : models.keySet()) {
        if (!script.models().containsKey(name)) {
          throw new IllegalArgumentException(
              "provider '"
                  + id
                  + "': the script has no model '"
                  + name
                  + "'; it has "
                  + String.join(", ", script.models().keySet()));
        }
      }
    }

    @Override
    public KeySource key() {
      return new KeySource.None();
    }
  }

  /**
   * A server that speaks one of the {@link harness.model.http.Api}s.
   *
   * @param server where it is and how it is called
   * @param defaults what holds for each model that says nothing else
   * @param models its models, by its own names of them; at least one, and no other is known
   */
  record Http(HttpProvider.Settings server, ModelConfig defaults, Map<String, ModelConfig> models)
      implements ProviderConfig {
    public Http {
      requireId(server.id());
      models = copy(models);
      if (models.isEmpty()) {
        throw new IllegalArgumentException(
            "provider '" + server.id() + "' needs 'models' with at least one, like { qwen3: {} }");
      }
    }

    @Override
    public String id() {
      return server.id();
    }

    @Override
    public KeySource key() {
      return server.key();
    }
  }

  private static void requireId(String id) {
    if (id.isBlank() || id.indexOf('/') >= 0) {
      throw new IllegalArgumentException(
          "a provider's id is not blank and holds no slash, unlike '" + id + "'");
    }
  }

  private static Map<String, ModelConfig> copy(Map<String, ModelConfig> models) {
    return Collections.unmodifiableMap(new LinkedHashMap<>(models));
  }
}
