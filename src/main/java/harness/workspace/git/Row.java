package harness.workspace.git;

import harness.workspace.Name;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;

/**
 * One path in which a base (a commit's tree), the index and the worktree are not all the same.
 *
 * @param bytes its path from the top of the worktree, with slashes
 * @param entry the number of its first entry in the index; -1 where it has none
 * @param base what the base has
 * @param index what the index has; {@link Blob#NONE} for an unmerged path
 * @param work what the worktree has; the same as {@code index} where it is unmodified
 * @param stages for an unmerged path the bits 1 (ancestor), 2 (ours) and 4 (theirs); else 0
 * @param intended whether the index only intends to add it
 */
record Row(
    byte[] bytes, int entry, Blob base, Blob index, Blob work, int stages, boolean intended) {
  /**
   * A file's version.
   *
   * @param mode its mode; {@code MISSING} where there is none
   * @param id its content; zero where there is none or it is not known
   * @param dirt what is changed in a repository
   */
  record Blob(FileMode mode, ObjectId id, Dirt dirt) {
    static final Blob NONE = new Blob(FileMode.MISSING, ObjectId.zeroId());

    Blob(FileMode mode, ObjectId id) {
      this(mode, id, Dirt.NONE);
    }

    boolean missing() {
      return FileMode.MISSING.equals(mode);
    }

    /** Whether both are files, both links or both repositories. */
    boolean sameType(Blob other) {
      return ((mode.getBits() ^ other.mode.getBits()) & FileMode.TYPE_MASK) == 0;
    }
  }

  /** Its path in the form of {@link Name}. */
  String path() {
    return Name.textOf(bytes);
  }

  boolean unmerged() {
    return stages != 0;
  }

  Row asIntended() {
    return new Row(bytes, entry, base, index, work, stages, true);
  }

  /** As if the index and the worktree had nothing of it. */
  Row asUnknown() {
    return new Row(bytes, entry, base, Blob.NONE, Blob.NONE, stages, false);
  }

  Row withStage(int stage) {
    return new Row(bytes, entry, base, index, work, stages | 1 << (stage - 1), intended);
  }
}
