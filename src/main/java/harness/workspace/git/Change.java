package harness.workspace.git;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.eclipse.jgit.api.errors.CanceledException;
import org.eclipse.jgit.attributes.Attribute;
import org.eclipse.jgit.diff.ContentSource;
import org.eclipse.jgit.diff.DiffConfig;
import org.eclipse.jgit.diff.DiffEntry;
import org.eclipse.jgit.diff.RenameDetector;
import org.eclipse.jgit.lib.AbbreviatedObjectId;
import org.eclipse.jgit.lib.EmptyProgressMonitor;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.ProgressMonitor;
import org.eclipse.jgit.lib.Repository;
import org.jspecify.annotations.Nullable;

/** A change of one path, made from two of its versions. */
final class Change extends DiffEntry {
  /** The share of equal content in percent from which git takes two files for one renamed. */
  private static final int RENAME_PERCENT = 50;

  /** The most files on either side between which renames are looked for. */
  private static final int RENAME_LIMIT = 1_000;

  /** Larger files are renamed only where they are equal, in bytes. */
  private static final int RENAME_MAX_BYTES = 4 * 1024 * 1024;

  private final boolean dirty;

  private Change(
      ChangeType type, String path, Row.Blob before, Row.Blob after, @Nullable Attribute diff) {
    this.changeType = type;
    this.oldPath = before.missing() ? DEV_NULL : path;
    this.newPath = after.missing() ? DEV_NULL : path;
    this.oldMode = before.mode();
    this.newMode = after.mode();
    this.oldId = AbbreviatedObjectId.fromObjectId(before.id());
    this.newId = AbbreviatedObjectId.fromObjectId(after.id());
    int kind = (before.missing() ? after : before).mode().getBits() & FileMode.TYPE_MASK;
    // What an attribute says of a path is not meant for a link.
    this.diffAttribute = kind == FileMode.TYPE_FILE ? diff : null;
    this.dirty = after.dirt() != Dirt.NONE;
  }

  /** Whether files are changed in the repository that its newer side is. */
  static boolean isDirty(DiffEntry change) {
    return change instanceof Change own && own.dirty;
  }

  /**
   * Adds what turns one version of a path into another; a file that becomes a link is two changes.
   *
   * @param diff its attribute {@code diff}, which says whether it is compared by lines
   */
  static void add(
      List<DiffEntry> changes,
      String path,
      Row.Blob before,
      Row.Blob after,
      @Nullable Attribute diff) {
    if (before.equals(after)) {
      return;
    }
    if (before.missing()) {
      changes.add(new Change(ChangeType.ADD, path, before, after, diff));
    } else if (after.missing()) {
      changes.add(new Change(ChangeType.DELETE, path, before, after, diff));
    } else if (before.sameType(after)) {
      changes.add(new Change(ChangeType.MODIFY, path, before, after, diff));
    } else {
      changes.add(new Change(ChangeType.DELETE, path, before, Row.Blob.NONE, diff));
      changes.add(new Change(ChangeType.ADD, path, Row.Blob.NONE, after, diff));
    }
  }

  /** Joins what was deleted and what was added to renames, as git does by default. */
  static List<DiffEntry> renamed(
      Repository repository,
      ObjectReader reader,
      ContentSource.Pair contents,
      List<DiffEntry> changes)
      throws IOException {
    List<DiffEntry> files = new ArrayList<>();
    List<DiffEntry> result = new ArrayList<>();
    for (DiffEntry change : changes) {
      boolean submodule =
          change.getOldMode().equals(FileMode.GITLINK)
              || change.getNewMode().equals(FileMode.GITLINK);
      (submodule ? result : files).add(change);
    }
    RenameDetector detector =
        new RenameDetector(reader, repository.getConfig().get(DiffConfig.KEY));
    detector.setRenameScore(RENAME_PERCENT);
    detector.setRenameLimit(RENAME_LIMIT);
    detector.setBigFileThreshold(RENAME_MAX_BYTES);
    detector.addAll(files);
    try {
      for (DiffEntry change : detector.compute(contents, UntilInterrupted.MONITOR)) {
        result.add(change.getChangeType() == ChangeType.COPY ? added(change) : change);
      }
    } catch (CanceledException e) {
      InterruptedIOException interrupted = new InterruptedIOException("stopped over renames");
      interrupted.initCause(e);
      throw interrupted;
    }
    result.sort(Comparator.comparing(Change::path));
    return result;
  }

  /** git takes a deleted file for the source of one rename only. */
  private static DiffEntry added(DiffEntry copy) {
    return new Change(
        ChangeType.ADD,
        copy.getNewPath(),
        Row.Blob.NONE,
        new Row.Blob(copy.getNewMode(), copy.getNewId().toObjectId()),
        copy.getDiffAttribute());
  }

  /** The path that a change is listed under. */
  static String path(DiffEntry change) {
    return change.getChangeType() == ChangeType.DELETE ? change.getOldPath() : change.getNewPath();
  }

  /** Cancels at an interrupt, which it leaves set. */
  private static final class UntilInterrupted extends EmptyProgressMonitor {
    static final ProgressMonitor MONITOR = new UntilInterrupted();

    @Override
    public boolean isCancelled() {
      return Thread.currentThread().isInterrupted();
    }
  }
}
