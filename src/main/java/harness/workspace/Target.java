package harness.workspace;

import java.io.IOException;
import java.util.Optional;

/**
 * A place under the write root where a file is or will be. Between opening and closing no other
 * target of this process is open at the same place, so that of two edits none is lost.
 *
 * <p>A change is first staged, then committed: between the two its caller can look once more at
 * what is there. What somebody outside this process writes after that look, in the microseconds
 * before the rename, is lost; there is no rename that asks for what it replaces. A file that was
 * not there at the last look is never replaced.
 */
public interface Target extends AutoCloseable {
  /**
   * The file as it is, open for reading; empty where there is none, and then a commit fails where
   * one appears. Closed with the target.
   */
  Optional<FileHandle> current() throws IOException;

  /**
   * Writes the content to a temporary file beside the place and waits until it is on stable
   * storage; missing directories on the way are made, and unmade where nothing is committed. A new
   * file gets the mode that the process gives new files. Of one that is there the mode is kept but
   * for its set-user and set-group bits, and the owner where this process may give files away.
   */
  void stage(byte[] content) throws IOException;

  /**
   * Changes what was staged so that it can be run as a program, or not.
   *
   * @throws IllegalStateException where no content is staged
   */
  void stageMode(boolean executable) throws IOException;

  /** The file is to go. */
  void stageRemoval() throws IOException;

  /**
   * Puts there what was staged, whole or not at all: renames it over what is there, then waits
   * until the directory is on stable storage. Other hard links to the old file keep its content.
   *
   * @throws PathException where it could not be done: then the old file is as it was, but for a
   *     failed sync of the directory, which says so
   */
  void commit() throws IOException;

  /** Stages the content and commits it. */
  default void replace(byte[] content) throws IOException {
    stage(content);
    commit();
  }

  /** How it is shown: relative to the working directory. */
  String shown();

  @Override
  void close();
}
