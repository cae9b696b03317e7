package harness.workspace;

import java.io.IOException;

/**
 * An entry of a directory under the write root that may be deleted: a file, a link itself, a
 * directory. Between opening and closing no target of this process is open at the same place.
 */
public interface Removable extends AutoCloseable {
  /** The most entries below a directory that is deleted. */
  int MAX_DELETED = 10_000;

  /**
   * What was deleted.
   *
   * @param files how many files, links and others that are no directories
   * @param directories how many directories
   */
  record Deleted(long files, long directories) {}

  /** What it is. */
  FileKind kind();

  /** Opens it for reading, where it is a file. Closed with the entry. */
  FileHandle file() throws IOException;

  /**
   * Deletes it, a directory with all that is in it: at most {@value #MAX_DELETED} entries, and none
   * of git's own. These are looked for before anything is deleted. Links are deleted, not followed.
   */
  Deleted delete() throws IOException;

  /** How it is shown: relative to the working directory. */
  String shown();

  @Override
  void close();
}
