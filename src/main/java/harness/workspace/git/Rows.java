package harness.workspace.git;

import harness.workspace.Name;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;

/** What differs between a base, the index and the worktree. */
final class Rows {
  /** The most paths that are kept; what is beyond is counted. */
  static final int MAX_PATHS = 50_000;

  private final IndexFile index;
  private final boolean ours;
  private final Map<byte[], Row> rows = new TreeMap<>(Arrays::compareUnsigned);
  private List<String> untracked = List.of();
  private long beyond;

  private Rows(IndexFile index, boolean ours) {
    this.index = index;
    this.ours = ours;
  }

  /**
   * Puts together what was found.
   *
   * @param base where the index differs from the tree of a commit
   * @param work what was found in the worktree; empty where it was left out
   * @param filter only these paths
   * @param ours whether our side stands for a path that conflicts, or nothing does
   */
  static Rows of(
      List<BaseDiff.Found> base,
      IndexFile index,
      Optional<Scanners.Found> work,
      PathFilter filter,
      boolean ours) {
    Rows rows = new Rows(index, ours);
    rows.base(base);
    if (work.isPresent()) {
      Scanners.Found found = work.get();
      rows.work(found.worked());
      rows.untracked =
          found.untracked().stream()
              .sorted(Arrays::compareUnsigned)
              .limit(MAX_PATHS)
              .map(Name::textOf)
              .toList();
      rows.beyond += found.beyond() + found.untracked().size() - rows.untracked.size();
    }
    rows.special(filter);
    return rows;
  }

  /** The paths that differ, in git's order. */
  List<Row> changed() {
    return List.copyOf(rows.values());
  }

  /** Untracked files, and directories (with a slash at the end) that hold nothing else. */
  List<String> untracked() {
    return untracked;
  }

  /** How many paths differ or are untracked besides the ones kept. */
  long beyond() {
    return beyond;
  }

  private void base(List<BaseDiff.Found> found) {
    for (BaseDiff.Found one : found) {
      Row.Blob indexed = one.entry() < 0 ? Row.Blob.NONE : indexed(one.entry());
      keep(one.path(), new Row(one.path(), one.entry(), one.base(), indexed, indexed, 0, false));
    }
  }

  private void work(List<Worked> worked) {
    for (Worked one : worked) {
      byte[] path = index.path(one.entry());
      Row.Blob indexed = blob(one.entry());
      Row known = rows.get(path);
      Row.Blob base = known == null ? indexed : known.base();
      Row.Blob work =
          FileMode.MISSING.equals(one.mode())
              ? Row.Blob.NONE
              : new Row.Blob(one.mode(), one.id().orElse(ObjectId.zeroId()), one.dirt());
      keep(path, new Row(path, one.entry(), base, indexed, work, 0, false));
    }
  }

  /** Marks what conflicts and what is only intended. */
  private void special(PathFilter filter) {
    for (int entry = 0; entry < index.size(); entry++) {
      int stage = index.stage(entry);
      if ((stage == 0 && !index.isIntended(entry)) || !filter.takes(index.path(entry))) {
        continue;
      }
      byte[] path = index.path(entry);
      Row known = rows.get(path);
      if (known == null) {
        Row.Blob indexed = indexed(entry);
        known = new Row(path, entry, indexed, indexed, indexed, 0, false);
      }
      if (stage > 0) {
        keep(path, known.withStage(stage));
      } else {
        keep(path, index.isUnwatched(entry) ? known.asUnknown() : known.asIntended());
      }
    }
  }

  /** What the index has at the path of an entry, which is the first of that path. */
  private Row.Blob indexed(int first) {
    for (int entry = first; entry < index.size() && index.sharesPath(entry, first); entry++) {
      if (index.stage(entry) == (ours && index.stage(entry) > 0 ? 2 : 0)) {
        return blob(entry);
      }
    }
    return Row.Blob.NONE;
  }

  private Row.Blob blob(int entry) {
    return new Row.Blob(FileMode.fromBits(index.mode(entry)), index.id(entry));
  }

  private void keep(byte[] path, Row row) {
    if (rows.size() < MAX_PATHS || rows.containsKey(path)) {
      rows.put(path, row);
    } else {
      beyond++;
    }
  }
}
