package harness.author;

import java.util.List;

/** A file of rights that is none; nothing of it holds. */
public final class GrantsException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient List<String> faults;

  GrantsException(List<String> faults) {
    super(String.join("; ", faults));
    this.faults = List.copyOf(faults);
  }

  /** Everything that is wrong, a sentence each. */
  public List<String> faults() {
    return faults;
  }
}
