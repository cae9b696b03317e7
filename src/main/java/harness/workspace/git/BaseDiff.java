package harness.workspace.git;

import harness.workspace.Name;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.treewalk.CanonicalTreeParser;

/**
 * Compares the tree of a commit with the index, and passes over each directory of which the index
 * remembers that it is the same tree.
 */
final class BaseDiff {
  /** The longest path that is gone into, in bytes: what Linux itself takes. */
  private static final int MAX_PATH_BYTES = 4096;

  private static final byte[] NO_NAME = {};

  /**
   * A path that differs.
   *
   * @param entry its number in the index; -1 where it has none
   * @param base what the tree has
   */
  record Found(byte[] path, int entry, Row.Blob base) {}

  private final ObjectReader reader;
  private final IndexFile index;
  private final PathFilter filter;
  private final List<Found> found = new ArrayList<>();

  private BaseDiff(ObjectReader reader, IndexFile index, PathFilter filter) {
    this.reader = reader;
    this.index = index;
    this.filter = filter;
  }

  /**
   * All that differ, in git's order; of an entry that conflicts its first stage.
   *
   * @param base a tree; empty for one without files
   */
  static List<Found> between(
      ObjectReader reader, Optional<ObjectId> base, IndexFile index, PathFilter filter)
      throws IOException, InterruptedException {
    BaseDiff diff = new BaseDiff(reader, index, filter);
    diff.directory(base, new byte[0], 0, index.size(), index.cacheTree());
    return diff.found;
  }

  /** A part of the index that lies in one directory. */
  private void directory(
      Optional<ObjectId> tree, byte[] prefix, int from, int to, Optional<CacheTree> remembered)
      throws IOException, InterruptedException {
    if (tree.isPresent() && remembered.isPresent() && remembered.get().is(tree.get())) {
      return;
    }
    if (prefix.length > MAX_PATH_BYTES) {
      throw new GitException(
          "a tree of the repository has paths of more than " + MAX_PATH_BYTES + " bytes");
    }
    CanonicalTreeParser base = new CanonicalTreeParser();
    if (tree.isPresent()) {
      base.reset(reader, tree.get());
    }
    int at = from;
    while (!base.eof() || at < to) {
      Interrupts.check();
      int end = at < to ? index.nameEnd(at, prefix.length) : 0;
      boolean isDirectory = at < to && end < index.pathLength(at);
      byte[] name = at < to ? index.path(at, prefix.length, end) : NO_NAME;
      int order = at == to ? -1 : base.eof() ? 1 : compare(base, name, isDirectory);
      byte[] entryName = order <= 0 ? name(base) : name;
      byte[] path = concat(prefix, entryName);
      boolean inTree = order <= 0;
      boolean directory = inTree ? isTree(base) : isDirectory;
      int next =
          order < 0
              ? at
              : isDirectory ? index.endOfPrefix(at, end + 1, to) : index.endOfPath(at, to);
      if (directory) {
        if (filter.reaches(path)) {
          Optional<ObjectId> inner =
              inTree ? Optional.of(base.getEntryObjectId()) : Optional.empty();
          Optional<CacheTree> below =
              remembered.flatMap(all -> Optional.ofNullable(all.below().get(Name.of(entryName))));
          directory(inner, concat(path, new byte[] {'/'}), at, next, below);
        }
      } else if (filter.takes(path)) {
        file(path, inTree ? blob(base) : Row.Blob.NONE, order < 0 ? -1 : at);
      }
      at = next;
      if (inTree) {
        base.next(1);
      }
    }
  }

  private void file(byte[] path, Row.Blob base, int entry) {
    boolean same =
        entry >= 0
            && index.stage(entry) == 0
            && base.mode().equals(index.mode(entry))
            && base.id().equals(index.id(entry));
    if (!same) {
      found.add(new Found(path, entry, base));
    }
  }

  private static boolean isTree(CanonicalTreeParser base) {
    return FileMode.TREE.equals(base.getEntryRawMode());
  }

  private static byte[] name(CanonicalTreeParser base) {
    byte[] name = new byte[base.getNameLength()];
    base.getName(name, 0);
    return name;
  }

  private static Row.Blob blob(CanonicalTreeParser base) {
    return new Row.Blob(base.getEntryFileMode(), base.getEntryObjectId());
  }

  /** Names of directories count as if a slash came after them. */
  private static int compare(CanonicalTreeParser base, byte[] name, boolean directory) {
    byte[] other = name(base);
    int common = Math.min(other.length, name.length);
    int order = Arrays.compareUnsigned(other, 0, common, name, 0, common);
    if (order != 0) {
      return order;
    }
    return Integer.compare(after(other, common, isTree(base)), after(name, common, directory));
  }

  private static int after(byte[] name, int at, boolean directory) {
    return at < name.length ? name[at] & 0xFF : directory ? '/' : 0;
  }

  private static byte[] concat(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }
}
