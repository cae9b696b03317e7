package harness.workspace.git;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.Repository;

/** Makes an index what HEAD has, at the paths that are wanted; the files stay as they are. */
final class Unstaging {
  private Unstaging() {}

  static GitReport run(Worktree worktree, IndexLock lock, Wanted wanted, PathDisplay display)
      throws IOException, InterruptedException {
    Repository repository = worktree.repository();
    IndexFile index = worktree.index();
    Optional<ObjectId> head = GitView.headTree(repository);
    IndexEdit edit = new IndexEdit(index);
    List<String> lines = new ArrayList<>();
    try (ObjectReader reader = repository.newObjectReader()) {
      checkNamed(reader, head, index, wanted, display);
      for (BaseDiff.Found found : BaseDiff.between(reader, head, index, wanted.filter())) {
        String shown = display.shown(Wanted.text(found.path()));
        if (found.base().missing()) {
          edit.remove(found.path());
          lines.add("no longer staged: " + shown);
        } else {
          edit.put(
              found.path(),
              new IndexEdit.Entry(found.base().mode(), found.base().id(), Optional.empty()));
          lines.add("as in HEAD again: " + shown);
        }
      }
    }
    if (!edit.empty()) {
      lock.commit(IndexWriter.bytes(worktree, edit));
    }
    return new GitReport(lines, List.of());
  }

  private static void checkNamed(
      ObjectReader reader,
      Optional<ObjectId> head,
      IndexFile index,
      Wanted wanted,
      PathDisplay display)
      throws IOException, InterruptedException {
    Refusals refusals = new Refusals("restored");
    for (byte[] path : wanted.named()) {
      byte[] below = Wanted.below(path, new byte[0]);
      boolean indexed =
          index.hasPath(index.find(path), path) || index.isBelow(index.find(below), below);
      PathFilter only = new PathFilter(List.of(path));
      if (!indexed && BaseDiff.between(reader, head, index, only).isEmpty()) {
        refusals.add(display.shown(Wanted.text(path)) + " is neither in the index nor in HEAD");
      }
    }
    refusals.check();
  }
}
