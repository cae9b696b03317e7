package harness.workspace.git;

import harness.workspace.FileKind;
import harness.workspace.FileStatus;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;

/** Makes an index what the worktree is, at the paths that are wanted: all of them or none. */
final class Adding {
  private final Worktree worktree;
  private final IndexFile index;
  private final IgnoreFiles ignores;
  private final Wanted wanted;
  private final Staging staging;
  private final Obstacles obstacles;

  /** The files that are dealt with. */
  private final Set<byte[]> done = new TreeSet<>(Arrays::compareUnsigned);

  private Adding(
      Worktree worktree, IgnoreFiles ignores, Wanted wanted, Staging staging, Obstacles obstacles) {
    this.worktree = worktree;
    this.index = worktree.index();
    this.ignores = ignores;
    this.wanted = wanted;
    this.staging = staging;
    this.obstacles = obstacles;
  }

  static GitReport run(Worktree worktree, IndexLock lock, Wanted wanted, PathDisplay display)
      throws IOException, InterruptedException {
    GitDirs dirs = worktree.dirs();
    try (ObjectReader reader = worktree.repository().newObjectReader();
        LooseObjects objects =
            new LooseObjects(dirs.objects().getFirst().directory(), worktree.repository())) {
      CheckIn checkIn = new CheckIn(worktree.repository(), reader, objects, worktree.files());
      Staging staging = new Staging(worktree, checkIn, display);
      Scan.Task task = worktree.task(wanted.filter(), false, Submodules.Looks.AT_HEAD);
      Adding adding =
          new Adding(worktree, task.ignores(), wanted, staging, new Obstacles(worktree, display));
      adding.all(Scanners.scan(task));
      staging.refusals().check();
      objects.flush();
      if (!staging.edit().empty()) {
        lock.commit(IndexWriter.bytes(worktree, staging.edit()));
      }
      return staging.report();
    }
  }

  private void all(Scanners.Found found) throws IOException, InterruptedException {
    for (byte[] path : wanted.named()) {
      named(path);
    }
    for (Worked worked : found.worked()) {
      Interrupts.check();
      int entry = worked.entry();
      if (!index.isIntended(entry)) {
        changed(index.path(entry), entry, worked.mode(), worked.id());
      }
    }
    unfinished();
    if (found.beyond() > 0) {
      throw new GitException(
          "nothing was added: there are more than "
              + Rows.MAX_PATHS
              + " untracked paths; name some directories, or ignore what is not to be added");
    }
    Untracked untracked =
        new Untracked(
            worktree.files(),
            ignores,
            wanted.filter(),
            new Untracked.Found() {
              @Override
              public void file(byte[] path) throws IOException {
                fresh(path);
              }

              @Override
              public void repository(byte[] path) {
                staging.repository(path, wanted.names(path));
              }
            });
    for (byte[] path : found.untracked()) {
      Interrupts.check();
      if (path[path.length - 1] == '/') {
        untracked.directory(Arrays.copyOf(path, path.length - 1));
      } else {
        fresh(path);
      }
    }
  }

  /** Looks at a path that is wanted by itself: adds a file, and says why there is nothing. */
  private void named(byte[] path) throws IOException {
    int entry = index.find(path);
    boolean indexed = index.hasPath(entry, path);
    byte[] directory = Wanted.below(path, new byte[0]);
    boolean holds = index.isBelow(index.find(directory), directory);
    Optional<String> obstacle = obstacles.before(path);
    if (obstacle.isPresent() && !indexed && !holds) {
      staging.refuse(path, obstacle.get());
      return;
    }
    Optional<FileKind> kind = worktree.files().status(path).map(FileStatus::kind);
    if (indexed && index.isUnwatched(entry)) {
      staging.refuse(
          path,
          "is marked as not to be looked at; git update-index --no-skip-worktree"
              + " --no-assume-unchanged in the shell ends that");
    } else if (indexed || holds) {
      return;
    } else if (kind.isEmpty()) {
      staging.refuse(path, "names nothing");
    } else if (kind.get() == FileKind.FILE || kind.get() == FileKind.LINK) {
      fresh(path);
    } else if (kind.get() != FileKind.DIRECTORY) {
      staging.refuse(path, "is no file, directory or link, and git keeps nothing else");
    } else if (isIgnored(path)) {
      staging.refuse(
          path,
          "is ignored; name the files in it one by one to add them all the same, or change"
              + " .gitignore");
    }
  }

  private boolean isIgnored(byte[] directory) throws IOException {
    String path = Wanted.latin(directory);
    int slash = path.lastIndexOf('/') + 1;
    return ignores.ignores(path.substring(0, slash), path.substring(slash), true);
  }

  private void fresh(byte[] path) throws IOException {
    if (done.add(path)) {
      staging.present(path, -1);
    }
  }

  private void changed(byte[] path, int entry, FileMode mode, Optional<ObjectId> id)
      throws IOException {
    if (FileMode.MISSING.equals(mode)) {
      staging.gone(path);
    } else if (FileMode.GITLINK.equals(mode)) {
      if (id.isPresent()) {
        staging.submodule(path, entry, id.get());
      }
    } else {
      staging.present(path, entry);
    }
  }

  /** What conflicts, and what was only intended: no comparison tells that it is to be added. */
  private void unfinished() throws IOException {
    PathFilter filter = wanted.filter();
    for (int at = 0; at < index.size(); at = index.endOfPath(at, index.size())) {
      byte[] path = index.path(at);
      if ((index.stage(at) == 0 && !index.isIntended(at)) || !filter.takes(path)) {
        continue;
      }
      Optional<FileKind> kind = worktree.files().status(path).map(FileStatus::kind);
      if (kind.equals(Optional.of(FileKind.FILE)) || kind.equals(Optional.of(FileKind.LINK))) {
        staging.present(path, index.stage(at) == 0 ? -1 : at);
      } else {
        staging.gone(path);
      }
    }
  }
}
