package harness.workspace.git;

import harness.workspace.Name;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jgit.lib.ObjectId;

/**
 * A directory as an index remembers it.
 *
 * @param id the tree that its entries make; empty where that is not known
 * @param below the directories in it, as far as they are known
 */
record CacheTree(Optional<ObjectId> id, Map<Name, CacheTree> below) {
  CacheTree {
    below = Map.copyOf(below);
  }

  boolean is(ObjectId tree) {
    return id.filter(tree::equals).isPresent();
  }
}
