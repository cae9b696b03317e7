package harness.agent;

/**
 * A model as callers name it.
 *
 * @param provider the id of a configured provider; holds no slash
 * @param model the provider's own name of the model; may hold slashes
 */
public record ModelName(String provider, String model) {
  public ModelName {
    if (provider.isBlank() || model.isBlank() || provider.indexOf('/') >= 0) {
      throw new IllegalArgumentException(
          "a model is named PROVIDER/MODEL, not '" + provider + "/" + model + "'");
    }
  }

  /**
   * Reads {@code PROVIDER/MODEL}.
   *
   * @throws IllegalArgumentException if the text has no such form
   */
  public static ModelName parse(String text) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      throw new IllegalArgumentException("a model is named PROVIDER/MODEL, not '" + text + "'");
    }
    return new ModelName(text.substring(0, slash), text.substring(slash + 1));
  }

  @Override
  public String toString() {
    return provider + "/" + model;
  }
}
