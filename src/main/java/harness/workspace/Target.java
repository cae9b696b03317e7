package harness.workspace;

import java.io.IOException;
import java.util.Optional;

/**
 * A place under the write root where a file is or will be. Between opening and closing no other
 * target of this process is open at the same place, so that of two edits none is lost.
 */
public interface Target extends AutoCloseable {
  /** The file as it is, open for reading; empty where there is none. Closed with the target. */
  Optional<FileHandle> current() throws IOException;

  /**
   * Puts the content there, whole or not at all: a temporary file beside it, synced, then renamed
   * over it, then the directory synced. A new file gets the mode that the process gives new files.
   * Of one that was there the mode is kept but for its set-user and set-group bits, and the owner
   * where this process may give files away; other hard links to it keep the old content.
   *
   * @throws PathException where it could not be done: then the old file is as it was, but for a
   *     failed sync of the directory, which says so
   */
  void replace(byte[] content) throws IOException;

  /** How it is shown: relative to the working directory. */
  String shown();

  @Override
  void close();
}
