package harness.workspace.git;

import java.io.IOException;
import java.util.Optional;
import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.dircache.DirCacheEntry;
import org.eclipse.jgit.dircache.DirCacheIterator;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.treewalk.NameConflictTreeWalk;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.eclipse.jgit.treewalk.WorkingTreeIterator;
import org.jspecify.annotations.Nullable;

/** Makes an index what the worktree is, at the paths that are wanted: all of them or none. */
final class Adding {
  private static final int INDEX = 0;
  private static final int WORK = 1;

  private final TreePaths wanted;
  private final PathDisplay display;
  private final Staging staging;
  private int ignored;

  /** The path that was looked at last: of a conflict the index has up to three entries. */
  private String done = "";

  private Adding(TreePaths wanted, PathDisplay display, Staging staging) {
    this.wanted = wanted;
    this.display = display;
    this.staging = staging;
  }

  static GitReport run(
      Repository repository, GitDirs dirs, IndexLock lock, TreePaths wanted, PathDisplay display)
      throws IOException, InterruptedException {
    DirCache index = lock.index();
    try (ObjectReader reader = repository.newObjectReader();
        LooseObjects objects =
            new LooseObjects(dirs.objects().getFirst().directory(), repository);
        TreeWalk walk = new NameConflictTreeWalk(repository, reader)) {
      WorktreeFiles files = new WorktreeFiles(dirs.worktree().directory());
      CheckIn checkIn = new CheckIn(repository, reader, objects, files);
      Staging staging = new Staging(repository.getConfig(), index, checkIn, display);
      walk.setOperationType(TreeWalk.OperationType.CHECKIN_OP);
      walk.addTree(new DirCacheIterator(index));
      Checkout checkout = new Checkout(repository, dirs.worktree(), index);
      walk.addTree(checkout);
      checkout.setDirCacheIterator(walk, INDEX);
      walk.setFilter(wanted);
      new Adding(wanted, display, staging).all(walk);
      objects.flush();
      if (!staging.edit().empty()) {
        staging.edit().apply(index);
        lock.commit();
      }
      return staging.report();
    }
  }

  private void all(TreeWalk walk) throws IOException, InterruptedException {
    while (walk.next()) {
      if (Thread.interrupted()) {
        throw new InterruptedException("stopped while files were added");
      }
      visit(walk);
    }
    wanted.missing().forEach(path -> staging.refuse(path, "names nothing"));
    staging.refusals().check();
    if (ignored > 0) {
      staging.note(
          ignored + " left out as ignored; a file that is named by itself is added all the same");
    }
  }

  private void visit(TreeWalk walk) throws IOException {
    @Nullable DirCacheIterator index = walk.getTree(INDEX, DirCacheIterator.class);
    @Nullable WorkingTreeIterator work = walk.getTree(WORK, WorkingTreeIterator.class);
    String path = TreePaths.key(walk.getRawPath());
    boolean indexed = index != null && FileMode.TREE.equals(index.getEntryRawMode());
    Optional<DirCacheEntry> entry =
        index == null || indexed ? Optional.empty() : Optional.of(index.getDirCacheEntry());
    boolean submodule =
        entry.filter(found -> FileMode.GITLINK.equals(found.getRawMode())).isPresent();
    boolean enter = indexed;
    if (work != null && FileMode.TREE.equals(work.getEntryRawMode())) {
      // The directory of a submodule that is not checked out is as it should be.
      enter |= !submodule && mayEnter(path, work);
      if (wanted.take(path) && entry.isPresent() && !submodule) {
        gone(path, entry.get());
      }
    } else if (work != null) {
      cutOff(path, work);
      if (wanted.take(path)) {
        present(walk, path, entry, work);
      }
    } else if (wanted.take(path) && entry.isPresent()) {
      gone(path, entry.get());
    }
    if (enter) {
      walk.enterSubtree();
    }
  }

  private void gone(String path, DirCacheEntry entry) {
    if (!path.equals(done)) {
      done = path;
      staging.gone(path, entry);
    }
  }

  private void present(
      TreeWalk walk, String path, Optional<DirCacheEntry> entry, WorkingTreeIterator work)
      throws IOException {
    done = path;
    boolean named = wanted.names(path);
    if (entry.isEmpty() && !named && work.isEntryIgnored()) {
      ignored++;
    } else if (entry.filter(old -> old.isSkipWorkTree() || old.isAssumeValid()).isPresent()) {
      if (named) {
        staging.refuse(
            path,
            "is marked as not to be looked at; git update-index --no-skip-worktree"
                + " --no-assume-unchanged in the shell ends that");
      }
    } else if (FileMode.GITLINK.equals(work.getEntryRawMode())) {
      staging.repository(path, entry, named, work);
    } else {
      staging.present(path, entry, walk.getAttributes(), work);
    }
  }

  private boolean mayEnter(String path, WorkingTreeIterator work) throws IOException {
    if (!wanted.below(path).isEmpty() || !work.isEntryIgnored()) {
      return true;
    }
    if (wanted.names(path)) {
      staging.refuse(
          path,
          "is ignored; name the files in it one by one to add them all the same, or change"
              + " .gitignore");
    } else {
      ignored++;
    }
    return false;
  }

  /** Says of the wanted paths below what is no directory why they are not found. */
  private void cutOff(String path, WorkingTreeIterator work) {
    boolean repository = FileMode.GITLINK.equals(work.getEntryRawMode());
    String shown = display.shown(TreePaths.text(path));
    for (String below : wanted.below(path)) {
      wanted.take(below);
      staging.refuse(
          below,
          repository
              ? "lies in " + shown + ", a repository of its own; work in that by its own directory"
              : "goes through " + shown + ", which is no directory; git follows no link");
    }
  }
}
