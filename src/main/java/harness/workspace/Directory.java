package harness.workspace;

import java.io.IOException;
import java.util.Iterator;

/**
 * An open directory under the read root, to walk through. Names are text in which a byte that is no
 * UTF-8 is written {@code \xNN}, the form that path arguments take too. A walk never follows a
 * link.
 */
public interface Directory extends AutoCloseable {
  /**
   * An entry.
   *
   * @param name one segment
   * @param kind what it is; a link is a {@link FileKind#LINK}, wherever it leads
   */
  record Entry(String name, FileKind kind) {}

  /**
   * Its entries in the order of the system, without {@code .} and {@code ..}; one pass. Git's own
   * are among them. A failure on the way is an {@link java.io.UncheckedIOException}.
   */
  Iterator<Entry> entries() throws IOException;

  /** Opens a directory in it; {@link PathException} where it is a link or no directory. */
  Directory directory(String name) throws IOException;

  /** Opens a regular file in it; {@link PathException} where it is anything else. */
  FileHandle file(String name) throws IOException;

  /** The status of an entry itself, not of what a link leads to. */
  FileStatus status(String name) throws IOException;

  /** How it is shown: relative to the working directory where it lies in it, else absolute. */
  String shown();

  @Override
  void close();
}
