package harness.workspace.git;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jgit.attributes.Attribute;
import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.dircache.DirCacheEntry;
import org.eclipse.jgit.dircache.DirCacheIterator;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.treewalk.AbstractTreeIterator;
import org.eclipse.jgit.treewalk.CanonicalTreeParser;
import org.eclipse.jgit.treewalk.EmptyTreeIterator;
import org.eclipse.jgit.treewalk.NameConflictTreeWalk;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.eclipse.jgit.treewalk.WorkingTreeIterator;
import org.eclipse.jgit.treewalk.filter.PathFilterGroup;
import org.jspecify.annotations.Nullable;

/** Walks a base, the index and the worktree side by side and keeps what differs. */
final class Rows {
  /** The most paths that are kept; what is beyond is counted. */
  static final int MAX_PATHS = 50_000;

  private static final int BASE = 0;
  private static final int INDEX = 1;
  private static final int WORK = 2;

  private final ObjectReader reader;
  private final boolean worktree;
  private final Map<String, Row> rows = new LinkedHashMap<>();
  private final List<String> untracked = new ArrayList<>();
  private long beyond;

  /** The topmost untracked directory that the walk is in and has not yet reported. */
  private Optional<String> pending = Optional.empty();

  /** The untracked directory that was reported last; what else lies in it is not. */
  private Optional<String> reported = Optional.empty();

  private Rows(ObjectReader reader, boolean worktree) {
    this.reader = reader;
    this.worktree = worktree;
  }

  /**
   * @param base the tree of a commit; empty for one without files
   * @param work the worktree; empty to leave it out
   * @param paths only these and what lies below them; all where there are none
   */
  static Rows walk(
      Repository repository,
      ObjectReader reader,
      Optional<ObjectId> base,
      DirCache index,
      Optional<Checkout> work,
      Collection<String> paths)
      throws IOException, InterruptedException {
    Rows rows = new Rows(reader, work.isPresent());
    try (TreeWalk walk = new NameConflictTreeWalk(repository, reader)) {
      walk.setOperationType(TreeWalk.OperationType.CHECKIN_OP);
      walk.addTree(
          base.isPresent()
              ? new CanonicalTreeParser(null, reader, base.get())
              : new EmptyTreeIterator());
      walk.addTree(new DirCacheIterator(index));
      if (work.isPresent()) {
        walk.addTree(work.get());
        work.get().setDirCacheIterator(walk, INDEX);
      } else {
        walk.addTree(new EmptyTreeIterator());
      }
      if (!paths.isEmpty()) {
        walk.setFilter(PathFilterGroup.createFromStrings(paths));
      }
      while (walk.next()) {
        if (Thread.interrupted()) {
          throw new InterruptedException("stopped while reading the worktree");
        }
        rows.visit(walk);
      }
    }
    return rows;
  }

  /** The paths that differ, in git's order. */
  List<Row> changed() {
    return List.copyOf(rows.values());
  }

  /** Untracked files, and directories (with a slash at the end) that hold nothing else. */
  List<String> untracked() {
    return List.copyOf(untracked);
  }

  /** How many paths differ or are untracked besides the ones kept. */
  long beyond() {
    return beyond;
  }

  private void visit(TreeWalk walk) throws IOException {
    @Nullable AbstractTreeIterator base = walk.getTree(BASE, AbstractTreeIterator.class);
    @Nullable DirCacheIterator index = walk.getTree(INDEX, DirCacheIterator.class);
    @Nullable WorkingTreeIterator work =
        worktree ? walk.getTree(WORK, WorkingTreeIterator.class) : null;
    String path = walk.getPathString();
    if (!isDirectory(base) || !isDirectory(index) || (worktree && !isDirectory(work))) {
      visitFile(walk, path, base, index, work);
    }
    boolean enter = isDirectory(base) || isDirectory(index);
    if (work != null && isDirectory(work) && !isDirectory(index) && mayHoldUntracked(index, work)) {
      if (pending.filter(path::startsWith).isEmpty()) {
        pending = Optional.of(path + "/");
      }
      enter = true;
    }
    if (enter) {
      walk.enterSubtree();
    }
  }

  private static boolean mayHoldUntracked(
      @Nullable DirCacheIterator index, WorkingTreeIterator work) throws IOException {
    boolean submodule = index != null && FileMode.GITLINK.equals(index.getEntryRawMode());
    return !submodule && !work.isEntryIgnored();
  }

  private void visitFile(
      TreeWalk walk,
      String path,
      @Nullable AbstractTreeIterator baseTree,
      @Nullable DirCacheIterator indexTree,
      @Nullable WorkingTreeIterator workTree)
      throws IOException {
    Row.Blob base = blob(walk, BASE, baseTree);
    @Nullable DirCacheEntry entry =
        indexTree == null || isDirectory(indexTree) ? null : indexTree.getDirCacheEntry();
    if (entry != null && entry.getStage() > 0) {
      unmerged(path, base, entry.getStage(), diff(walk));
      return;
    }
    if (entry == null) {
      if (!base.missing()) {
        keep(new Row(path, base, Row.Blob.NONE, Row.Blob.NONE, 0, false, diff(walk)));
      }
      if (workTree != null && !isDirectory(workTree)) {
        untracked(path, workTree);
      }
      return;
    }
    Row.Blob index = new Row.Blob(entry.getFileMode(), entry.getObjectId());
    Row.Blob work = worktree ? work(entry, index, indexTree, workTree) : index;
    boolean intended = entry.isIntentToAdd();
    if (!base.equals(index) || !index.equals(work) || intended) {
      keep(new Row(path, base, index, work, 0, intended, diff(walk)));
    }
  }

  private void unmerged(String path, Row.Blob base, int stage, Optional<Attribute> diff) {
    Row before = rows.get(path);
    int stages = (before == null ? 0 : before.stages()) | 1 << (stage - 1);
    Row.Blob kept = before == null ? base : before.base();
    Row row = new Row(path, kept, Row.Blob.NONE, Row.Blob.NONE, stages, false, diff);
    if (before == null) {
      keep(row);
    } else {
      rows.put(path, row);
    }
  }

  private Row.Blob work(
      DirCacheEntry entry,
      Row.Blob index,
      @Nullable DirCacheIterator indexTree,
      @Nullable WorkingTreeIterator work)
      throws IOException {
    if (entry.isSkipWorkTree() || entry.isAssumeValid()) {
      return index;
    }
    if (work == null) {
      return Row.Blob.NONE;
    }
    boolean submodule = FileMode.GITLINK.equals(index.mode());
    if (isDirectory(work)) {
      // A submodule that is not checked out is an empty directory.
      return submodule ? index : Row.Blob.NONE;
    }
    if (submodule && FileMode.GITLINK.equals(work.getEntryRawMode())) {
      ObjectId head = work.getEntryObjectId();
      return head.equals(ObjectId.zeroId()) ? index : new Row.Blob(FileMode.GITLINK, head);
    }
    if (!work.isModified(entry, true, reader)) {
      return index;
    }
    // A file whose size alone differs may still be the same once its line ends are git's.
    Row.Blob found = new Row.Blob(work.getIndexFileMode(indexTree), work.getEntryObjectId());
    return found.equals(index) ? index : found;
  }

  private void untracked(String path, WorkingTreeIterator work) throws IOException {
    if (reported.filter(path::startsWith).isPresent() || work.isEntryIgnored()) {
      return;
    }
    if (pending.filter(path::startsWith).isPresent()) {
      reported = pending;
      keep(pending.get());
    } else {
      keep(FileMode.GITLINK.equals(work.getEntryRawMode()) ? path + "/" : path);
    }
  }

  private void keep(Row row) {
    if (rows.size() < MAX_PATHS) {
      rows.put(row.path(), row);
    } else {
      beyond++;
    }
  }

  private void keep(String path) {
    if (untracked.size() < MAX_PATHS) {
      untracked.add(path);
    } else {
      beyond++;
    }
  }

  private static Row.Blob blob(TreeWalk walk, int tree, @Nullable AbstractTreeIterator at) {
    return at == null || isDirectory(at)
        ? Row.Blob.NONE
        : new Row.Blob(walk.getFileMode(tree), walk.getObjectId(tree));
  }

  private static Optional<Attribute> diff(TreeWalk walk) {
    return Optional.ofNullable(walk.getAttributes().get("diff"));
  }

  private static boolean isDirectory(@Nullable AbstractTreeIterator at) {
    return at != null && FileMode.TREE.equals(at.getEntryRawMode());
  }
}
