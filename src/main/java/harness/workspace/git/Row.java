package harness.workspace.git;

import java.util.Optional;
import org.eclipse.jgit.attributes.Attribute;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;

/**
 * One path in which a base (a commit's tree), the index and the worktree are not all the same.
 *
 * @param path from the top of the worktree, with slashes
 * @param base what the base has
 * @param index what the index has; {@link Blob#NONE} for an unmerged path
 * @param work what the worktree has; the same as {@code index} where it is unmodified
 * @param stages for an unmerged path the bits 1 (ancestor), 2 (ours) and 4 (theirs); else 0
 * @param intended whether the index only intends to add it
 * @param diff its attribute {@code diff}, which says whether it is compared by lines
 */
record Row(
    String path,
    Blob base,
    Blob index,
    Blob work,
    int stages,
    boolean intended,
    Optional<Attribute> diff) {
  /**
   * A file's version.
   *
   * @param mode its mode; {@code MISSING} where there is none
   * @param id its content; zero where there is none or it is not known
   */
  record Blob(FileMode mode, ObjectId id) {
    static final Blob NONE = new Blob(FileMode.MISSING, ObjectId.zeroId());

    boolean missing() {
      return FileMode.MISSING.equals(mode);
    }

    /** Whether both are files, both links or both repositories. */
    boolean sameType(Blob other) {
      return ((mode.getBits() ^ other.mode.getBits()) & FileMode.TYPE_MASK) == 0;
    }
  }

  boolean unmerged() {
    return stages != 0;
  }
}
