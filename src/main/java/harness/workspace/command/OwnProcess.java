package harness.workspace.command;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Optional;

/** This process, seen from others of the same user. */
public final class OwnProcess {
  private static final System.Logger LOG = System.getLogger(OwnProcess.class.getName());

  private OwnProcess() {}

  /** Looks for the system's calls, which takes a while; it may run beside anything else. */
  public static void prepare() {
    try {
      long _ = ProcessCalls.PAGE_BYTES;
    } catch (LinkageError e) {
      LOG.log(Level.DEBUG, "whoever needs one next is told", e);
    }
  }

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
    } catch (LinkageError e) {
      return Optional.of(
          "the system has no call for it (" + (e.getCause() == null ? e : e.getCause()) + ")");
    } catch (IOException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }
}
