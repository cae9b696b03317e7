package harness.workspace.git;

import harness.workspace.Inode;
import java.util.Arrays;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;

/** What is to become of an index, by paths as it has them. */
final class IndexEdit {
  /**
   * What the index is to have.
   *
   * @param inode what the system said of the file before its content was read; empty where the file
   *     is to be looked at anew
   */
  record Entry(FileMode mode, ObjectId id, Optional<Inode> inode) {}

  private final IndexFile index;
  private final TreeMap<byte[], Optional<Entry>> edits = new TreeMap<>(Arrays::compareUnsigned);

  IndexEdit(IndexFile index) {
    this.index = index;
  }

  /**
   * Puts an entry in the place of all that the index has at its path, conflicts included; what was
   * a directory there or a file on the way to it goes.
   */
  void put(byte[] path, Entry entry) {
    for (int i = 0; i < path.length; i++) {
      if (path[i] == '/') {
        byte[] parent = Arrays.copyOf(path, i);
        if (index.hasPath(index.find(parent), parent)) {
          remove(parent);
        }
      }
    }
    byte[] below = Arrays.copyOf(path, path.length + 1);
    below[path.length] = '/';
    for (int at = index.find(below); index.isBelow(at, below); at++) {
      edits.putIfAbsent(index.path(at), Optional.empty());
    }
    edits.put(path, Optional.of(entry));
  }

  /** Puts an entry where the index has nothing, nor below nor on the way. */
  void putNew(byte[] path, Entry entry) {
    edits.put(path, Optional.of(entry));
  }

  void remove(byte[] path) {
    edits.putIfAbsent(path, Optional.empty());
  }

  boolean empty() {
    return edits.isEmpty();
  }

  /** By paths, in the order of an index; empty where the path goes. */
  SortedMap<byte[], Optional<Entry>> edits() {
    return edits;
  }
}
