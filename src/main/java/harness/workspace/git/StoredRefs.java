package harness.workspace.git;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectIdRef;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.RefDatabase;
import org.eclipse.jgit.lib.RefRename;
import org.eclipse.jgit.lib.RefUpdate;
import org.eclipse.jgit.lib.ReflogReader;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevObject;
import org.eclipse.jgit.revwalk.RevTag;
import org.eclipse.jgit.revwalk.RevWalk;
import org.jspecify.annotations.Nullable;

/** The refs of a repository for JGit, to be read only. */
final class StoredRefs extends RefDatabase {
  private final Repository repository;
  private final RefFiles files;
  private final LogFiles logs;

  StoredRefs(Repository repository, GitDirs dirs) {
    this.repository = repository;
    this.files = new RefFiles(dirs);
    this.logs = new LogFiles(dirs);
  }

  @Override
  public @Nullable Ref exactRef(String name) throws IOException {
    return files.ref(name).orElse(null);
  }

  /** By what follows the prefix in their names. */
  @Override
  public Map<String, Ref> getRefs(String prefix) throws IOException {
    Map<String, Ref> refs = new TreeMap<>();
    files.all(prefix).forEach((name, ref) -> refs.put(name.substring(prefix.length()), ref));
    if (prefix.isEmpty()) {
      files.ref(Constants.HEAD).ifPresent(head -> refs.put(Constants.HEAD, head));
    }
    return refs;
  }

  @Override
  public List<Ref> getAdditionalRefs() {
    return List.of();
  }

  @Override
  public Ref peel(Ref ref) throws IOException {
    Ref leaf = ref.getLeaf();
    if (leaf.isPeeled() || leaf.getObjectId() == null) {
      return ref;
    }
    try (RevWalk walk = new RevWalk(repository)) {
      RevObject object = walk.parseAny(leaf.getObjectId());
      return object instanceof RevTag
          ? new ObjectIdRef.PeeledTag(
              leaf.getStorage(), leaf.getName(), leaf.getObjectId(), walk.peel(object).copy())
          : new ObjectIdRef.PeeledNonTag(leaf.getStorage(), leaf.getName(), leaf.getObjectId());
    }
  }

  @Override
  public ReflogReader getReflogReader(Ref ref) {
    return logs.reader(ref.getName());
  }

  @Override
  public boolean isNameConflicting(String name) throws IOException {
    return !getConflictingNames(name).isEmpty();
  }

  @Override
  public RefUpdate newUpdate(String name, boolean detach) {
    throw new UnsupportedOperationException("refs are only read here");
  }

  @Override
  public RefRename newRename(String fromName, String toName) {
    throw new UnsupportedOperationException("refs are only read here");
  }

  @Override
  public void create() {
    throw new UnsupportedOperationException("refs are only read here");
  }

  @Override
  public void close() {
    // Nothing of it stays open.
  }
}
