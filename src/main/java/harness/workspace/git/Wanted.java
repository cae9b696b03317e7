package harness.workspace.git;

import harness.workspace.Name;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The paths that a change is asked for.
 *
 * @param paths as an index has them; one stands for itself and what is below it, and the empty one
 *     for everything
 */
record Wanted(List<byte[]> paths) {
  Wanted {
    paths = List.copyOf(paths);
  }

  /** Their filter. */
  PathFilter filter() {
    return paths.stream().anyMatch(path -> path.length == 0)
        ? PathFilter.ALL
        : new PathFilter(paths);
  }

  /** Those that are not everything. */
  List<byte[]> named() {
    return paths.stream().filter(path -> path.length > 0).toList();
  }

  boolean names(byte[] path) {
    return paths.stream().anyMatch(wanted -> Arrays.equals(wanted, path));
  }

  /** A path as messages show it. */
  static String text(byte[] path) {
    return Name.textOf(path);
  }

  /** A path byte by byte, as {@link IgnoreFiles} takes it. */
  static String latin(byte[] path) {
    return new String(path, StandardCharsets.ISO_8859_1);
  }

  static byte[] below(byte[] directory, byte[] name) {
    if (directory.length == 0) {
      return name;
    }
    byte[] path = Arrays.copyOf(directory, directory.length + 1 + name.length);
    path[directory.length] = '/';
    System.arraycopy(name, 0, path, directory.length + 1, name.length);
    return path;
  }
}
