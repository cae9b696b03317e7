package harness.model;

import harness.agent.Dials;

/** The models that configuration names. */
public interface Models {
  /**
   * The model that the Dials name.
   *
   * @throws harness.fault.RefusedException (invalid, field {@code model} or {@code thinkingLevel})
   *     when the provider, the model or its thinking level is unknown; the message names what is
   *     known
   */
  Model find(Dials dials);
}
