package harness.model.provider;

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
