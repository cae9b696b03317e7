package harness.workspace.git;

import harness.workspace.Name;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.eclipse.jgit.treewalk.filter.TreeFilter;

/**
 * The paths that a change is asked for, from the top of the worktree; one stands for itself and what
 * is below it, and the empty one for everything. A path here is its bytes, each written as the
 * character of the same number, so that any of them can be compared and looked up.
 */
final class TreePaths extends TreeFilter {
  private final List<String> paths;

  /** The paths that something was found at or below. */
  private final TreeSet<String> found = new TreeSet<>();

  TreePaths(List<String> paths) {
    this.paths = List.copyOf(paths);
  }

  static String key(byte[] path) {
    return new String(path, StandardCharsets.ISO_8859_1);
  }

  static byte[] bytes(String key) {
    return key.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** As it is shown and taken as an argument. */
  static String text(String key) {
    return Name.textOf(bytes(key));
  }

  static boolean isUtf8(String key) {
    byte[] bytes = bytes(key);
    return Arrays.equals(
        bytes, new String(bytes, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8));
  }

  /** Whether one stands for it; that one is then found. */
  boolean take(String path) {
    boolean taken = false;
    for (String wanted : paths) {
      if (wanted.isEmpty() || within(path, wanted)) {
        found.add(wanted);
        taken = true;
      }
    }
    return taken;
  }

  /** Whether it is named by itself. */
  boolean names(String path) {
    return paths.contains(path);
  }

  /** The ones that lie below a path. */
  List<String> below(String path) {
    return paths.stream().filter(wanted -> wanted.startsWith(path + "/")).toList();
  }

  /** The ones that nothing was found at. */
  List<String> missing() {
    return paths.stream().filter(path -> !path.isEmpty() && !found.contains(path)).toList();
  }

  /** Also lets pass what a wanted path leads through, whether it is a directory or not. */
  @Override
  public boolean include(TreeWalk walk) {
    String path = key(walk.getRawPath());
    for (String wanted : paths) {
      if (wanted.isEmpty()
          || within(path, wanted)
          || within(wanted, path)) {
        return true;
      }
    }
    return false;
  }

  private static boolean within(String path, String above) {
    return path.startsWith(above)
        && (path.length() == above.length() || path.charAt(above.length()) == '/');
  }

  @Override
  public boolean shouldBeRecursive() {
    return true;
  }

  @Override
  public TreeFilter clone() {
    return this;
  }
}
