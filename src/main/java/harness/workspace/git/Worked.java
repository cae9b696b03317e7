package harness.workspace.git;

import java.util.Optional;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;

/**
 * A file that is not as the index has it.
 *
 * @param entry its number in the index
 * @param mode what it is; {@code MISSING} where it is not there
 * @param id its content, where that is known
 */
record Worked(int entry, FileMode mode, Optional<ObjectId> id) {}
