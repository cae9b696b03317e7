package harness.workspace.git;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
import org.jspecify.annotations.Nullable;

/** Makes an index what HEAD has, at the paths that are wanted; the files stay as they are. */
final class Unstaging {
  private static final int BASE = 0;
  private static final int INDEX = 1;

  private final TreePaths wanted;
  private final PathDisplay display;
  private final IndexEdit edit = new IndexEdit();
  private final List<String> lines = new ArrayList<>();

  /** The path that was looked at last: of a conflict the index has up to three entries. */
  private String done = "";

  private Unstaging(TreePaths wanted, PathDisplay display) {
    this.wanted = wanted;
    this.display = display;
  }

  static GitReport run(
      Repository repository, IndexLock lock, TreePaths wanted, PathDisplay display)
      throws IOException, InterruptedException {
    Unstaging unstaging = new Unstaging(wanted, display);
    Optional<ObjectId> head = GitView.headTree(repository);
    try (ObjectReader reader = repository.newObjectReader();
        TreeWalk walk = new NameConflictTreeWalk(repository, reader)) {
      walk.addTree(
          head.isPresent()
              ? new CanonicalTreeParser(null, reader, head.get())
              : new EmptyTreeIterator());
      walk.addTree(new DirCacheIterator(lock.index()));
      walk.setFilter(wanted);
      while (walk.next()) {
        if (Thread.interrupted()) {
          throw new InterruptedException("stopped while the index was restored");
        }
        unstaging.visit(walk);
      }
    }
    Refusals refusals = new Refusals("restored");
    wanted
        .missing()
        .forEach(
            path ->
                refusals.add(
                    display.shown(TreePaths.text(path)) + " is neither in the index nor in HEAD"));
    refusals.check();
    if (!unstaging.edit.empty()) {
      unstaging.edit.apply(lock.index());
      lock.commit();
    }
    return new GitReport(unstaging.lines, List.of());
  }

  private void visit(TreeWalk walk) throws IOException {
    @Nullable AbstractTreeIterator base = walk.getTree(BASE, AbstractTreeIterator.class);
    @Nullable DirCacheIterator index = walk.getTree(INDEX, DirCacheIterator.class);
    String path = TreePaths.key(walk.getRawPath());
    boolean baseTree = base != null && FileMode.TREE.equals(base.getEntryRawMode());
    boolean indexTree = index != null && FileMode.TREE.equals(index.getEntryRawMode());
    if (wanted.take(path) && !path.equals(done)) {
      done = path;
      Optional<DirCacheEntry> entry =
          index == null || indexTree ? Optional.empty() : Optional.of(index.getDirCacheEntry());
      if (base != null && !baseTree) {
        reset(path, entry, base.getEntryFileMode(), base.getEntryObjectId());
      } else if (entry.isPresent()) {
        edit.remove(path);
        lines.add("no longer staged: " + shown(path));
      }
    }
    if (baseTree || indexTree) {
      walk.enterSubtree();
    }
  }

  private void reset(String path, Optional<DirCacheEntry> entry, FileMode mode, ObjectId id) {
    boolean same =
        entry
            .filter(old -> old.getStage() == 0 && !old.isIntentToAdd())
            .filter(old -> old.getFileMode().equals(mode) && old.getObjectId().equals(id))
            .isPresent();
    if (!same) {
      DirCacheEntry reset = new DirCacheEntry(TreePaths.bytes(path));
      reset.setFileMode(mode);
      reset.setObjectId(id);
      edit.put(path, reset);
      lines.add("as in HEAD again: " + shown(path));
    }
  }

  private String shown(String path) {
    return display.shown(TreePaths.text(path));
  }
}
