package harness.cli;

import java.util.List;

/** A configuration that nothing may be started with: all its faults at once. */
public final class ConfigurationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> faults;

  /**
   * @param faults one or more sentences, each naming the key and the mend
   */
  public ConfigurationException(List<String> faults) {
    super(String.join("\n", faults));
    this.faults = List.copyOf(faults);
  }

  public List<String> faults() {
    return faults;
  }
}
