package harness.workspace.git;

import harness.workspace.Name;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.eclipse.jgit.attributes.Attributes;
import org.eclipse.jgit.diff.ContentSource;
import org.eclipse.jgit.diff.DiffEntry;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.treewalk.CanonicalTreeParser;
import org.eclipse.jgit.treewalk.EmptyTreeIterator;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.eclipse.jgit.treewalk.filter.TreeFilter;

/** Compares two of revision, index and worktree. */
final class DiffReader {
  /** How much of a diff is made only to count it, in bytes. */
  private static final long MAX_COUNTED_BYTES = 16L * 1024 * 1024;

  private final Repository repository;
  private final Worktree worktree;
  private final List<String> filtered = new ArrayList<>();

  DiffReader(Worktree worktree) {
    this.repository = worktree.repository();
    this.worktree = worktree;
  }

  /** What differs, and which paths are in a conflict. */
  private record Found(
      List<DiffEntry> changes, ContentSource newer, TreeSet<String> unmerged, int untracked) {}

  GitDiff read(DiffQuery query, PathFilter paths) throws IOException, InterruptedException {
    if (query.to().isPresent() && (query.from().isEmpty() || query.staged())) {
      throw new GitException("a diff with 'to' needs 'from', and is never staged");
    }
    try (ObjectReader reader = repository.newObjectReader()) {
      ContentSource objects = ContentSource.create(reader);
      Found found =
          query.to().isPresent()
              ? trees(
                  reader,
                  objects,
                  Optional.of(GitView.tree(repository, query.from().orElseThrow())),
                  GitView.tree(repository, query.to().get()),
                  paths)
              : query.staged()
                  ? staged(reader, objects, query.from(), paths)
                  : worktree(reader, query.from(), paths);
      return diff(reader, objects, found, query.stat());
    }
  }

  /** Compares two trees, of which the first may be one without files. */
  GitDiff trees(Optional<ObjectId> before, ObjectId after)
      throws IOException, InterruptedException {
    try (ObjectReader reader = repository.newObjectReader()) {
      ContentSource objects = ContentSource.create(reader);
      return diff(reader, objects, trees(reader, objects, before, after, PathFilter.ALL), false);
    }
  }

  private GitDiff diff(ObjectReader reader, ContentSource objects, Found found, boolean stat)
      throws IOException, InterruptedException {
    ContentSource.Pair contents = new ContentSource.Pair(objects, found.newer);
    List<DiffEntry> changes = Change.renamed(repository, reader, contents, found.changes);
    BoundedOutput out = new BoundedOutput(GitView.MAX_TEXT_BYTES);
    boolean whole = print(reader, changes, contents, found.unmerged, stat, out);
    int files = changes.size() + found.unmerged.size();
    return new GitDiff(out.text(), out.written(), whole, files, found.untracked, filtered);
  }

  private Found trees(
      ObjectReader reader,
      ContentSource objects,
      Optional<ObjectId> before,
      ObjectId after,
      PathFilter paths)
      throws IOException, InterruptedException {
    List<DiffEntry> changes = new ArrayList<>();
    try (TreeWalk walk = new TreeWalk(repository, reader)) {
      walk.addTree(
          before.isPresent()
              ? new CanonicalTreeParser(null, reader, before.get())
              : new EmptyTreeIterator());
      walk.addTree(after);
      walk.setFilter(TreeFilter.ANY_DIFF);
      while (walk.next()) {
        Interrupts.check();
        byte[] path = walk.getRawPath();
        if (walk.isSubtree()) {
          if (paths.reaches(path)) {
            walk.enterSubtree();
          }
        }
        // Where a directory became a file, the walk is at both.
        if (paths.takes(path)) {
          add(changes, path, blob(walk, 0), blob(walk, 1));
        }
      }
    }
    return new Found(changes, objects, new TreeSet<>(), 0);
  }

  private static Row.Blob blob(TreeWalk walk, int tree) {
    FileMode mode = walk.getFileMode(tree);
    return FileMode.TREE.equals(mode) || FileMode.MISSING.equals(mode)
        ? Row.Blob.NONE
        : new Row.Blob(mode, walk.getObjectId(tree));
  }

  private void add(List<DiffEntry> changes, byte[] path, Row.Blob before, Row.Blob after)
      throws IOException {
    if (!before.equals(after)) {
      Attributes attributes = worktree.attributes().of(path);
      Change.add(changes, Name.textOf(path), before, after, attributes.get("diff"));
      if (CheckIn.filter(attributes).isPresent()) {
        filtered.add(Name.textOf(path));
      }
    }
  }

  private Found staged(
      ObjectReader reader, ContentSource objects, Optional<String> from, PathFilter paths)
      throws IOException, InterruptedException {
    List<BaseDiff.Found> found = BaseDiff.between(reader, base(from), worktree.index(), paths);
    Rows rows = Rows.of(found, worktree.index(), Optional.empty(), paths, false);
    List<DiffEntry> changes = new ArrayList<>();
    TreeSet<String> unmerged = new TreeSet<>();
    for (Row row : rows.changed()) {
      if (row.unmerged()) {
        unmerged.add(row.path());
      } else {
        add(changes, row.bytes(), row.base(), row.intended() ? Row.Blob.NONE : row.index());
      }
    }
    return new Found(changes, objects, unmerged, 0);
  }

  private Found worktree(ObjectReader reader, Optional<String> from, PathFilter paths)
      throws IOException, InterruptedException {
    List<BaseDiff.Found> base =
        from.isPresent()
            ? BaseDiff.between(reader, base(from), worktree.index(), paths)
            : List.of();
    Scanners.Found found = Scanners.scan(worktree.task(paths, true, Submodules.Looks.AT_TRACKED));
    Rows rows = Rows.of(base, worktree.index(), Optional.of(found), paths, true);
    List<DiffEntry> changes = new ArrayList<>();
    TreeSet<String> unmerged = new TreeSet<>();
    for (Row row : rows.changed()) {
      Interrupts.check();
      if (row.unmerged() && from.isEmpty()) {
        unmerged.add(row.path());
      }
      boolean fresh = row.intended() && !row.work().missing();
      Row.Blob indexed = fresh ? Row.Blob.NONE : row.index();
      add(changes, row.bytes(), from.isPresent() ? row.base() : indexed, worktree.known(row));
    }
    ContentSource files = new WorktreeContent(worktree.files(), worktree.storedForm());
    return new Found(changes, files, unmerged, rows.untracked().size());
  }

  private Optional<ObjectId> base(Optional<String> from) throws IOException {
    return from.isPresent()
        ? Optional.of(GitView.tree(repository, from.get()))
        : GitView.headTree(repository);
  }

  /** False where it stopped before the last change, because the text is beyond all use. */
  private boolean print(
      ObjectReader reader,
      List<DiffEntry> changes,
      ContentSource.Pair contents,
      TreeSet<String> unmerged,
      boolean stat,
      BoundedOutput out)
      throws IOException, InterruptedException {
    TreeSet<String> toSay = new TreeSet<>(unmerged);
    PatchWriter writer = new PatchWriter(repository, reader, out);
    PatchStat stats = new PatchStat();
    for (DiffEntry change : changes) {
      Interrupts.check();
      if (out.written() > MAX_COUNTED_BYTES) {
        return false;
      }
      while (!toSay.isEmpty() && toSay.first().compareTo(Change.path(change)) <= 0) {
        say(out, toSay.pollFirst());
      }
      Patch patch = Patch.of(change, contents);
      if (stat) {
        stats.add(patch);
      } else {
        writer.write(patch);
      }
    }
    for (String path : toSay) {
      say(out, path);
    }
    out.write(stats.text().getBytes(StandardCharsets.UTF_8));
    return true;
  }

  private static void say(OutputStream out, String path) throws IOException {
    String line = "* Unmerged path " + PathDisplay.quoted(path) + "\n";
    out.write(line.getBytes(StandardCharsets.UTF_8));
  }
}
