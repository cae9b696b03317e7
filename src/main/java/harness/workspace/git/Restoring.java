package harness.workspace.git;

import harness.workspace.FileStatus;
import harness.workspace.Root;
import harness.workspace.WorktreeEntry;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jgit.attributes.Attributes;
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

/** Makes files of a worktree what the index has, at the paths that are wanted. */
final class Restoring {
  private static final int INDEX = 0;
  private static final int WORK = 1;

  private final Repository repository;
  private final ObjectReader reader;
  private final GitDirs dirs;
  private final TreePaths wanted;
  private final PathDisplay display;
  private final CheckOut checkOut;
  private final Refusals refusals = new Refusals("restored");
  private final TreeMap<String, DirCacheEntry> changed = new TreeMap<>();
  private final IndexEdit edit = new IndexEdit();
  private final List<String> lines = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  private Restoring(
      Repository repository,
      ObjectReader reader,
      GitDirs dirs,
      TreePaths wanted,
      PathDisplay display) {
    this.repository = repository;
    this.reader = reader;
    this.dirs = dirs;
    this.wanted = wanted;
    this.display = display;
    WorktreeFiles files = new WorktreeFiles(dirs.worktree().directory());
    this.checkOut = new CheckOut(repository, reader, files);
  }

  /** Writes through the root, whose write root holds all that is wanted. */
  static GitReport run(
      Repository repository,
      GitDirs dirs,
      IndexLock lock,
      Root root,
      TreePaths wanted,
      PathDisplay display)
      throws IOException, InterruptedException {
    try (ObjectReader reader = repository.newObjectReader()) {
      Restoring restoring = new Restoring(repository, reader, dirs, wanted, display);
      DirCache index = lock.index();
      restoring.walk(index, TreeWalk.OperationType.CHECKIN_OP, restoring::compare);
      wanted
          .missing()
          .forEach(path -> restoring.refuse(path, "is nothing that git knows; git_add adds it"));
      Map<String, Attributes> attributes = restoring.attributes(index);
      restoring.refusals.check();
      try {
        restoring.write(root, attributes);
      } finally {
        // What was written is known to the index, also where a later file failed.
        if (!restoring.edit.empty()) {
          restoring.edit.apply(index);
          lock.commit();
        }
      }
      return new GitReport(restoring.lines, restoring.notes);
    }
  }

  private interface Visit {
    void at(
        TreeWalk walk,
        String path,
        Optional<DirCacheEntry> entry,
        Optional<WorkingTreeIterator> work)
        throws IOException;
  }

  /** Visits what the index has at the wanted paths. */
  private void walk(DirCache index, TreeWalk.OperationType type, Visit visit)
      throws IOException, InterruptedException {
    try (TreeWalk walk = new NameConflictTreeWalk(repository, reader)) {
      walk.setOperationType(type);
      walk.addTree(new DirCacheIterator(index));
      Checkout checkout = new Checkout(repository, dirs.worktree(), index);
      walk.addTree(checkout);
      checkout.setDirCacheIterator(walk, INDEX);
      walk.setFilter(wanted);
      while (walk.next()) {
        if (Thread.interrupted()) {
          throw new InterruptedException("stopped while files were restored");
        }
        @Nullable DirCacheIterator indexed = walk.getTree(INDEX, DirCacheIterator.class);
        if (indexed != null) {
          boolean tree = FileMode.TREE.equals(indexed.getEntryRawMode());
          Optional<WorkingTreeIterator> work =
              Optional.ofNullable(walk.getTree(WORK, WorkingTreeIterator.class));
          visit.at(
              walk,
              TreePaths.key(walk.getRawPath()),
              tree ? Optional.empty() : Optional.of(indexed.getDirCacheEntry()),
              work);
          if (tree) {
            walk.enterSubtree();
          }
        }
      }
    }
  }

  private void compare(
      TreeWalk walk,
      String path,
      Optional<DirCacheEntry> entry,
      Optional<WorkingTreeIterator> work)
      throws IOException {
    boolean directory =
        work.filter(found -> FileMode.TREE.equals(found.getEntryRawMode())).isPresent();
    if (entry.isEmpty()) {
      if (work.isPresent() && !directory) {
        refuse(path, "is no directory now, and git has one there; move that away or delete it");
      }
      return;
    }
    if (!wanted.take(path)) {
      return;
    }
    DirCacheEntry indexed = entry.get();
    if (indexed.getStage() > 0) {
      refuse(
          path,
          "is in a conflict; put its content right and git_add it, or drop the conflict with"
              + " git_restore and 'staged' first");
    } else if (directory && !FileMode.GITLINK.equals(indexed.getRawMode())) {
      refuse(path, "is a directory now; move that away or delete it");
    } else if (leaves(indexed)) {
      if (wanted.names(path)) {
        refuse(path, "is a submodule, or marked as not to be checked out, so nothing is restored");
      }
    } else if (!TreePaths.isUtf8(path)) {
      notes.add(shown(path) + " was left alone: its name is no UTF-8");
    } else if (work.isEmpty() || work.get().isModified(indexed, true, reader)) {
      changed.put(path, indexed);
    }
  }

  private static boolean leaves(DirCacheEntry entry) {
    return FileMode.GITLINK.equals(entry.getRawMode())
        || entry.isSkipWorkTree()
        || entry.isIntentToAdd();
  }

  /** The attributes of what changed, as they are for writing files; refuses what a filter makes. */
  private Map<String, Attributes> attributes(DirCache index)
      throws IOException, InterruptedException {
    Map<String, Attributes> attributes = new HashMap<>();
    walk(
        index,
        TreeWalk.OperationType.CHECKOUT_OP,
        (walk, path, entry, work) -> {
          if (changed.containsKey(path)) {
            attributes.put(path, walk.getAttributes());
            checkOut
                .refusal(path, changed.get(path), walk.getAttributes())
                .ifPresent(why -> refuse(path, why));
          }
        });
    return attributes;
  }

  private void write(Root root, Map<String, Attributes> attributes)
      throws IOException, InterruptedException {
    for (Map.Entry<String, DirCacheEntry> file : changed.entrySet()) {
      if (Thread.interrupted()) {
        throw new InterruptedException("stopped after " + lines.size() + " files were restored");
      }
      String path = file.getKey();
      DirCacheEntry entry = file.getValue();
      Attributes rules = attributes.getOrDefault(path, new Attributes());
      try (WorktreeEntry place = root.entry(display.relative(TreePaths.text(path)))) {
        FileStatus status = checkOut.write(entry, rules, place);
        DirCacheEntry written = new DirCacheEntry(entry);
        written.setLength(status.size());
        written.setLastModified(time(status));
        edit.put(path, written);
      } catch (IOException e) {
        throw lines.isEmpty()
            ? e
            : new GitException(
                "after " + lines.size() + " of " + changed.size() + " files: " + e.getMessage(), e);
      }
      lines.add("restored " + shown(path));
      if (CheckIn.filter(rules).isPresent()) {
        notes.add(
            shown(path) + " is a pointer of git LFS; 'git lfs pull' in the shell gets its content");
      }
    }
  }

  private static Instant time(FileStatus status) {
    long second = TimeUnit.SECONDS.toNanos(1);
    return Instant.ofEpochSecond(
        Math.floorDiv(status.modifiedNanos(), second),
        Math.floorMod(status.modifiedNanos(), second));
  }

  private void refuse(String path, String why) {
    refusals.add(shown(path) + " " + why);
  }

  private String shown(String path) {
    return display.shown(TreePaths.text(path));
  }
}
