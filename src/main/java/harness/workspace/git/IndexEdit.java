package harness.workspace.git;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.dircache.DirCacheBuilder;
import org.eclipse.jgit.dircache.DirCacheEntry;

/** What is to become of an index: each path is a key of {@link TreePaths}. */
final class IndexEdit {
  /** Empty where the path leaves the index. */
  private final TreeMap<String, Optional<DirCacheEntry>> edits = new TreeMap<>();

  /** Puts an entry in the place of all that the index has at its path, conflicts included. */
  void put(String path, DirCacheEntry entry) {
    edits.put(path, Optional.of(entry));
  }

  void remove(String path) {
    edits.put(path, Optional.empty());
  }

  boolean empty() {
    return edits.isEmpty();
  }

  /** Changes the index; a file in the place of a directory replaces it, and the other way round. */
  void apply(DirCache index) {
    Set<String> files = new HashSet<>();
    Set<String> directories = new HashSet<>();
    edits.forEach(
        (path, entry) -> {
          if (entry.isPresent()) {
            files.add(path);
            parents(path, directories);
          }
        });
    DirCacheBuilder builder = index.builder();
    for (int i = 0; i < index.getEntryCount(); i++) {
      DirCacheEntry entry = index.getEntry(i);
      String path = TreePaths.key(entry.getRawPath());
      Set<String> parents = new HashSet<>();
      parents(path, parents);
      parents.retainAll(files);
      if (!edits.containsKey(path) && !directories.contains(path) && parents.isEmpty()) {
        builder.add(entry);
      }
    }
    edits.values().forEach(entry -> entry.ifPresent(builder::add));
    builder.finish();
  }

  private static void parents(String path, Set<String> into) {
    for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      into.add(path.substring(0, slash));
    }
  }
}
