package harness.workspace.git;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.eclipse.jgit.treewalk.filter.TreeFilter;

/**
 * Which paths are asked for: some of them and what lies below, or all.
 *
 * @param paths as bytes, from the top of the worktree; none for all
 */
record PathFilter(List<byte[]> paths) {
  static final PathFilter ALL = new PathFilter(List.of());

  PathFilter {
    paths = List.copyOf(paths);
  }

  static PathFilter of(Collection<byte[]> paths) {
    return new PathFilter(List.copyOf(paths));
  }

  boolean isAll() {
    return paths.isEmpty();
  }

  /** Whether a path is asked for. */
  boolean takes(byte[] path) {
    return paths.isEmpty() || paths.stream().anyMatch(wanted -> isAtOrBelow(path, wanted));
  }

  /** Whether something in a directory may be asked for; it is given without a slash at its end. */
  boolean reaches(byte[] directory) {
    return takes(directory) || paths.stream().anyMatch(wanted -> isAtOrBelow(wanted, directory));
  }

  private static boolean isAtOrBelow(byte[] path, byte[] above) {
    return path.length >= above.length
        && Arrays.equals(path, 0, above.length, above, 0, above.length)
        && (path.length == above.length || path[above.length] == '/');
  }

  /** The same for a walk over trees. */
  TreeFilter forTrees() {
    return new OfTrees(this);
  }

  private static final class OfTrees extends TreeFilter {
    private final PathFilter filter;

    OfTrees(PathFilter filter) {
      this.filter = filter;
    }

    @Override
    public boolean include(TreeWalk walk) {
      byte[] path = walk.getRawPath();
      return walk.isSubtree() ? filter.reaches(path) : filter.takes(path);
    }

    @Override
    public boolean shouldBeRecursive() {
      return !filter.isAll();
    }

    @Override
    public TreeFilter clone() {
      return this;
    }
  }
}
