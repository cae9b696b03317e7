package harness.tool;

import harness.workspace.FileHandle;
import harness.workspace.Target;
import java.io.IOException;
import java.util.Optional;

/** Holds a change of a file to the version of it that the conversation knows. */
final class Known {
  private final Seat seat;
  private final String path;
  private final String shown;

  /**
   * @param path as the call names it
   * @param shown how the file is named in messages
   */
  Known(Seat seat, String path, String shown) {
    this.seat = seat;
    this.path = path;
    this.shown = shown;
  }

  /** The version that the conversation last read or wrote; empty where it did neither. */
  Optional<String> version() {
    return seat.seen().version(seat.cwd(), path);
  }

  /** Refuses a file in a version that the conversation does not know. */
  void require(String now) throws ToolException {
    Optional<String> known = version();
    if (known.isEmpty()) {
      throw new ToolException(
          shown
              + " is there and this conversation has not read it; read it first, so that nothing in"
              + " it is lost unseen");
    }
    if (!known.get().equals(now)) {
      throw new ToolException(
          shown
              + " has changed since this conversation read or wrote it; read it again, then change"
              + " what is there now");
    }
  }

  /**
   * Refuses a file that is no longer what it was when the call looked at it. Asked when all is
   * ready to be put in its place.
   *
   * @param before its version then; empty where it was not there
   */
  void requireStill(Target target, Optional<String> before)
      throws ToolException, IOException, InterruptedException {
    Optional<FileHandle> current = target.current();
    Optional<String> now =
        current.isPresent() ? Optional.of(Version.of(current.get())) : Optional.empty();
    if (!now.equals(before)) {
      throw new ToolException(
          shown
              + " changed while this call ran, and was left alone; read it again, then try again");
    }
  }

  /** What the conversation knows once it has read or written this version. */
  Seen seen(String version) {
    return Seen.of(seat.cwd(), path, version);
  }
}
