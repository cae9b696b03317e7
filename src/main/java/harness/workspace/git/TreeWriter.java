package harness.workspace.git;

import harness.workspace.Name;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.TreeFormatter;

/** Makes the tree of an index, and passes over the directories of which the index knows it. */
final class TreeWriter {
  private final IndexFile index;
  private final LooseObjects objects;
  private final ObjectReader reader;

  private TreeWriter(IndexFile index, LooseObjects objects, ObjectReader reader) {
    this.index = index;
    this.objects = objects;
    this.reader = reader;
  }

  /**
   * A tree.
   *
   * @param known what the index may remember of it: nothing where only intended files are in it
   */
  record Made(ObjectId id, CacheTree known) {}

  /**
   * @param index without conflicts
   */
  static Made write(IndexFile index, LooseObjects objects, ObjectReader reader)
      throws IOException, InterruptedException {
    return new TreeWriter(index, objects, reader)
        .directory(0, index.size(), 0, index.cacheTree())
        .orElseThrow();
  }

  /** Empty where nothing is in it that is more than intended. */
  private Optional<Made> directory(int from, int to, int prefix, Optional<CacheTree> known)
      throws IOException, InterruptedException {
    Interrupts.check();
    Optional<ObjectId> remembered = known.flatMap(CacheTree::id);
    if (remembered.isPresent() && reader.has(remembered.get())) {
      return Optional.of(new Made(remembered.get(), known.get()));
    }
    TreeFormatter tree = new TreeFormatter();
    Map<Name, CacheTree> below = new HashMap<>();
    boolean whole = true;
    int entries = 0;
    for (int at = from; at < to; ) {
      int end = index.nameEnd(at, prefix);
      Name name = Name.of(index.path(at, prefix, end));
      if (end == index.pathLength(at)) {
        if (index.isIntended(at)) {
          whole = false;
        } else {
          tree.append(name.bytes(), mode(at), index.id(at));
          entries++;
        }
        at++;
        continue;
      }
      int next = index.endOfPrefix(at, end + 1, to);
      Optional<CacheTree> inner = known.flatMap(all -> Optional.ofNullable(all.below().get(name)));
      Optional<Made> made = directory(at, next, end + 1, inner);
      if (made.isPresent()) {
        tree.append(name.bytes(), FileMode.TREE, made.get().id());
        below.put(name, made.get().known());
        entries++;
      }
      whole &= made.isPresent() && made.get().known().id().isPresent();
      at = next;
    }
    if (entries == 0 && prefix > 0) {
      return Optional.empty();
    }
    ObjectId id = objects.insert(tree);
    return Optional.of(
        new Made(id, new CacheTree(whole ? Optional.of(id) : Optional.empty(), below)));
  }

  private FileMode mode(int entry) throws GitException {
    FileMode mode = FileMode.fromBits(index.mode(entry));
    if (mode.equals(FileMode.REGULAR_FILE)
        || mode.equals(FileMode.EXECUTABLE_FILE)
        || mode.equals(FileMode.SYMLINK)
        || mode.equals(FileMode.GITLINK)) {
      return mode;
    }
    throw new GitException(
        "the index has "
            + index.text(entry)
            + " with a mode that no file has; git reset makes the index anew");
  }
}
