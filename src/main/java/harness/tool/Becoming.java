package harness.tool;

import harness.workspace.FileHandle;
import harness.workspace.PathException;
import harness.workspace.Target;
import java.io.IOException;
import java.util.Optional;

/**
 * Whether the files of a proposal are what it makes of them already: the process may have been
 * killed between the change and the record of it, and then it is accepted once more.
 */
final class Becoming {
  /** The version of a file that is not there. */
  static final String GONE = "gone";

  private Becoming() {}

  /** Whether all of it is done. */
  static boolean isDone(Seat seat) throws IOException, InterruptedException {
    if (seat.mode() != Mode.ACCEPT || seat.becomes().versions().isEmpty()) {
      return false;
    }
    for (String path : seat.becomes().versions().keySet()) {
      if (!isDone(seat, path)) {
        return false;
      }
    }
    return true;
  }

  /** Whether one file is; one whose content stays, so that its mode alone changes, never is. */
  static boolean isDone(Seat seat, String path) throws IOException, InterruptedException {
    Optional<String> wanted = seat.becomes().version(seat.cwd(), path);
    if (wanted.isEmpty() || wanted.equals(seat.seen().version(seat.cwd(), path))) {
      return false;
    }
    try (Target target = seat.root().target(path)) {
      Optional<FileHandle> now = target.current();
      return wanted.get().equals(now.isPresent() ? Version.of(now.get()) : GONE);
    } catch (PathException _) {
      // The tool says what is there instead.
      return false;
    }
  }
}
