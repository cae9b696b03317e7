package harness.workspace.git;

import java.util.Optional;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;

/**
 * A file that is not as the index has it.
 *
 * @param entry its number in the index
 * @param mode what it is; {@code MISSING} where it is not there
 * @param id its content, or for a repository its commit, where that is known
 * @param dirt what is changed in a repository
 */
record Worked(int entry, FileMode mode, Optional<ObjectId> id, Dirt dirt) {
  /** One whose content is not known, because it was not read. */
  static Worked of(int entry, FileMode mode) {
    return new Worked(entry, mode, Optional.empty(), Dirt.NONE);
  }
}
