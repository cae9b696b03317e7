package harness.workspace.git;

import org.eclipse.jgit.dircache.DirCache;

/** What an index knows of a path. */
final class Tracked {
  private Tracked() {}

  /** Whether the index has a file of that path, in any stage. */
  static boolean file(DirCache index, String path) {
    return index.findEntry(path) >= 0;
  }

  /** Whether the index has a file below that directory. */
  static boolean below(DirCache index, String directory) {
    String prefix = directory + "/";
    int at = index.findEntry(prefix);
    int next = at < 0 ? -(at + 1) : at;
    return next < index.getEntryCount() && index.getEntry(next).getPathString().startsWith(prefix);
  }
}
