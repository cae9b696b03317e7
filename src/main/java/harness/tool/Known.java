package harness.tool;

import harness.workspace.FileHandle;
import harness.workspace.FileKind;
import harness.workspace.Target;
import java.io.IOException;
import java.util.Optional;

/** Holds a change of a file to the version of it that the conversation knows. */
final class Known {
  private static final String STALE = "; nothing was done: let it be proposed anew";

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
    if (seat.mode() == Mode.ACCEPT && !known.equals(Optional.of(now))) {
      throw new ToolException(
          shown
              + (known.isEmpty()
                  ? " is there now, and was not when this was proposed"
                  : " has changed since this was proposed")
              + STALE);
    }
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

  /** Refuses that there is no file where a proposal was made from one. */
  void requireAbsent() throws ToolException {
    if (seat.mode() == Mode.ACCEPT && version().isPresent()) {
      throw new ToolException(shown + " is gone since this was proposed" + STALE);
    }
  }

  /** Refuses what is no file: versions are of files alone, and so are proposals. */
  void requireFile(FileKind kind) throws ToolException {
    if (seat.mode() != Mode.DIRECT && kind != FileKind.FILE) {
      throw new ToolException(
          shown + " is no file, and proposals are of files alone: propose each file by itself");
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
