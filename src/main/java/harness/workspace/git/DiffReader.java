package harness.workspace.git;

import harness.workspace.Way;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.eclipse.jgit.diff.ContentSource;
import org.eclipse.jgit.diff.DiffEntry;
import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.dircache.DirCacheBuilder;
import org.eclipse.jgit.dircache.DirCacheEntry;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.eclipse.jgit.treewalk.filter.AndTreeFilter;
import org.eclipse.jgit.treewalk.filter.PathFilterGroup;
import org.eclipse.jgit.treewalk.filter.TreeFilter;

/** Compares two of revision, index and worktree. */
final class DiffReader {
  /** How much of a diff is made only to count it, in bytes. */
  private static final long MAX_COUNTED_BYTES = 16L * 1024 * 1024;

  private final Repository repository;
  private final Way worktree;

  DiffReader(Repository repository, Way worktree) {
    this.repository = repository;
    this.worktree = worktree;
  }

  /** What differs, and which paths are in a conflict. */
  private record Found(
      List<DiffEntry> changes, ContentSource newer, TreeSet<String> unmerged, int untracked) {}

  GitDiff read(DiffQuery query, Collection<String> paths) throws IOException, InterruptedException {
    if (query.to().isPresent() && (query.from().isEmpty() || query.staged())) {
      throw new GitException("a diff with 'to' needs 'from', and is never staged");
    }
    try (ObjectReader reader = repository.newObjectReader()) {
      ContentSource objects = ContentSource.create(reader);
      Found found =
          query.to().isPresent()
              ? revisions(reader, objects, query.from().orElseThrow(), query.to().get(), paths)
              : query.staged()
                  ? staged(reader, objects, query.from(), paths)
                  : worktree(reader, query.from(), paths);
      ContentSource.Pair contents = new ContentSource.Pair(objects, found.newer);
      List<DiffEntry> changes = Change.renamed(repository, reader, contents, found.changes);
      BoundedOutput out = new BoundedOutput(GitView.MAX_TEXT_BYTES);
      boolean whole = print(reader, changes, contents, found.unmerged, query.stat(), out);
      int files = changes.size() + found.unmerged.size();
      return new GitDiff(out.text(), out.written(), whole, files, found.untracked);
    }
  }

  private Found revisions(
      ObjectReader reader, ContentSource objects, String from, String to, Collection<String> paths)
      throws IOException {
    try (TreeWalk walk = new TreeWalk(repository, reader)) {
      walk.addTree(GitView.tree(repository, from));
      walk.addTree(GitView.tree(repository, to));
      walk.setRecursive(true);
      walk.setFilter(
          paths.isEmpty()
              ? TreeFilter.ANY_DIFF
              : AndTreeFilter.create(
                  PathFilterGroup.createFromStrings(paths), TreeFilter.ANY_DIFF));
      return new Found(DiffEntry.scan(walk), objects, new TreeSet<>(), 0);
    }
  }

  private Found staged(
      ObjectReader reader, ContentSource objects, Optional<String> from, Collection<String> paths)
      throws IOException, InterruptedException {
    DirCache index = repository.readDirCache();
    Rows rows = Rows.walk(repository, reader, base(from), index, Optional.empty(), paths);
    List<DiffEntry> changes = new ArrayList<>();
    TreeSet<String> unmerged = new TreeSet<>();
    for (Row row : rows.changed()) {
      if (row.unmerged()) {
        unmerged.add(row.path());
      } else {
        Change.add(changes, row, row.base(), row.intended() ? Row.Blob.NONE : row.index());
      }
    }
    return new Found(changes, objects, unmerged, 0);
  }

  private Found worktree(ObjectReader reader, Optional<String> from, Collection<String> paths)
      throws IOException, InterruptedException {
    TreeSet<String> unmerged = new TreeSet<>();
    DirCache index = ours(repository.readDirCache(), unmerged);
    Optional<ObjectId> base = from.isPresent() ? base(from) : Optional.empty();
    Checkout checkout = new Checkout(repository, worktree, index);
    Rows rows = Rows.walk(repository, reader, base, index, Optional.of(checkout), paths);
    List<DiffEntry> changes = new ArrayList<>();
    for (Row row : rows.changed()) {
      Row.Blob indexed = row.intended() ? Row.Blob.NONE : row.index();
      Change.add(changes, row, from.isPresent() ? row.base() : indexed, row.work());
    }
    if (from.isPresent()) {
      unmerged.clear();
    } else if (!paths.isEmpty()) {
      unmerged.removeIf(
          path -> paths.stream().noneMatch(p -> path.equals(p) || path.startsWith(p + "/")));
    }
    ContentSource files =
        new WorktreeContent(
            repository,
            reader,
            index,
            new Checkout(repository, worktree, index),
            changes.stream().map(Change::path).toList());
    return new Found(changes, files, unmerged, rows.untracked().size());
  }

  private Optional<ObjectId> base(Optional<String> from) throws IOException {
    return from.isPresent()
        ? Optional.of(GitView.tree(repository, from.get()))
        : GitView.headTree(repository);
  }

  /** The index with our side in place of each conflict, as {@code git diff --ours} takes it. */
  private static DirCache ours(DirCache index, TreeSet<String> unmerged) {
    if (!index.hasUnmergedPaths()) {
      return index;
    }
    DirCache ours = DirCache.newInCore();
    DirCacheBuilder builder = ours.builder();
    for (int i = 0; i < index.getEntryCount(); i++) {
      DirCacheEntry entry = index.getEntry(i);
      if (entry.getStage() == DirCacheEntry.STAGE_0) {
        builder.add(entry);
        continue;
      }
      unmerged.add(entry.getPathString());
      if (entry.getStage() == DirCacheEntry.STAGE_2) {
        DirCacheEntry merged = new DirCacheEntry(entry.getPathString());
        merged.setFileMode(entry.getFileMode());
        merged.setObjectId(entry.getObjectId());
        builder.add(merged);
      }
    }
    builder.finish();
    return ours;
  }

  /** False where it stopped before the last change, because the text is beyond all use. */
  private boolean print(
      ObjectReader reader,
      List<DiffEntry> changes,
      ContentSource.Pair contents,
      TreeSet<String> unmerged,
      boolean stat,
      BoundedOutput out)
      throws IOException {
    TreeSet<String> toSay = new TreeSet<>(unmerged);
    PatchWriter writer = new PatchWriter(repository, reader, out);
    PatchStat stats = new PatchStat();
    for (DiffEntry change : changes) {
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
