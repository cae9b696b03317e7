package harness.workspace.command;

import java.io.IOException;
import java.util.Optional;

/** This process, seen from others of the same user. */
public final class OwnProcess {
  private OwnProcess() {}

  /**
   * Closes its memory, its environment and its descriptors to all other processes but those of a
   * privileged user, and lets it leave no core file.
   *
   * @return why that can't be done here; empty where it was
   */
  public static Optional<String> hide() {
    try {
      ProcessCalls.hide();
      return Optional.empty();
    } catch (ExceptionInInitializerError e) {
      return Optional.of("the system has no call for it (" + e.getCause() + ")");
    } catch (IOException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }
}
