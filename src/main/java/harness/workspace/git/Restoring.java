package harness.workspace.git;

import harness.workspace.FileKind;
import harness.workspace.FileStatus;
import harness.workspace.Root;
import harness.workspace.WorktreeEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.jgit.attributes.Attributes;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectReader;

/** Makes files of a worktree what its index has, at the paths that are wanted. */
final class Restoring {
  private final Worktree worktree;
  private final IndexFile index;
  private final AttributeFiles attributes;
  private final CheckOut checkOut;
  private final Wanted wanted;
  private final PathDisplay display;
  private final Obstacles obstacles;
  private final Refusals refusals = new Refusals("restored");
  private final IndexEdit edit;
  private final List<Integer> changed = new ArrayList<>();
  private final List<String> lines = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  private Restoring(Worktree worktree, ObjectReader reader, Wanted wanted, PathDisplay display)
      throws IOException {
    this.worktree = worktree;
    this.index = worktree.index();
    this.attributes = worktree.attributesForWriting();
    this.checkOut = new CheckOut(worktree.repository(), reader, worktree.files());
    this.wanted = wanted;
    this.display = display;
    this.obstacles = new Obstacles(worktree, display);
    this.edit = new IndexEdit(index);
  }

  /** Writes through the root, whose write root holds all that is wanted. */
  static GitReport run(
      Worktree worktree, IndexLock lock, Root root, Wanted wanted, PathDisplay display)
      throws IOException, InterruptedException {
    try (ObjectReader reader = worktree.repository().newObjectReader()) {
      Restoring restoring = new Restoring(worktree, reader, wanted, display);
      restoring.look(
          Scanners.scan(worktree.task(wanted.filter(), false, Submodules.Looks.AT_HEAD)));
      restoring.refusals.check();
      try {
        restoring.write(root);
      } finally {
        // What was written is known to the index, also where a later file failed.
        if (!restoring.edit.empty()) {
          lock.write(IndexWriter.bytes(worktree, restoring.edit));
          lock.commit();
        }
      }
      return new GitReport(restoring.lines, restoring.notes);
    }
  }

  private void look(Scanners.Found found) throws IOException, InterruptedException {
    for (byte[] path : wanted.named()) {
      named(path);
    }
    PathFilter filter = wanted.filter();
    for (int at = 0; at < index.size(); at = index.endOfPath(at, index.size())) {
      if (index.stage(at) > 0 && filter.takes(index.path(at))) {
        refuse(
            index.path(at),
            "is in a conflict; put its content right and git_add it, or drop the conflict with"
                + " git_restore and 'staged' first");
      }
    }
    for (Worked worked : found.worked()) {
      Interrupts.check();
      int entry = worked.entry();
      boolean submodule = FileMode.GITLINK.equals(index.mode(entry));
      if (!submodule && !index.isIntended(entry)) {
        changed(entry);
      }
    }
  }

  private void named(byte[] path) {
    int entry = index.find(path);
    byte[] below = Wanted.below(path, new byte[0]);
    if (!index.hasPath(entry, path)) {
      if (!index.isBelow(index.find(below), below)) {
        refuse(path, "is nothing that git knows; git_add adds it");
      }
    } else if (FileMode.GITLINK.equals(index.mode(entry))) {
      refuse(path, "is a submodule, of which nothing is restored here");
    } else if (index.isUnwatched(entry)) {
      refuse(path, "is marked as not to be looked at, so nothing is restored");
    }
  }

  private void changed(int entry) throws IOException {
    byte[] path = index.path(entry);
    Optional<String> obstacle = obstacles.before(path);
    Optional<FileKind> kind = worktree.files().status(path).map(FileStatus::kind);
    if (obstacle.isPresent()) {
      refuse(path, obstacle.get() + "; move that away or delete it");
    } else if (kind.filter(is -> is != FileKind.FILE && is != FileKind.LINK).isPresent()) {
      refuse(
          path,
          (kind.get() == FileKind.DIRECTORY ? "is a directory now" : "is no file now")
              + "; move that away or delete it");
    } else {
      Optional<String> why = checkOut.refusal(path, index, entry, attributes.of(path));
      why.ifPresent(said -> refuse(path, said));
      changed.add(entry);
    }
  }

  private void write(Root root) throws IOException, InterruptedException {
    for (int entry : changed) {
      Interrupts.check();
      byte[] path = index.path(entry);
      Attributes rules = attributes.of(path);
      try (WorktreeEntry place = root.entry(display.relative(Wanted.text(path)))) {
        checkOut.write(index, entry, rules, place);
      } catch (IOException e) {
        throw lines.isEmpty()
            ? e
            : new GitException(
                "after " + lines.size() + " of " + changed.size() + " files: " + e.getMessage(), e);
      }
      edit.put(
          path,
          new IndexEdit.Entry(
              FileMode.fromBits(index.mode(entry)), index.id(entry), worktree.files().inode(path)));
      lines.add("restored " + shown(path));
      if (CheckIn.filter(rules).isPresent()) {
        notes.add(
            shown(path) + " is a pointer of git LFS; 'git lfs pull' in the shell gets its content");
      }
    }
  }

  private void refuse(byte[] path, String why) {
    refusals.add(shown(path) + " " + why);
  }

  private String shown(byte[] path) {
    return display.shown(Wanted.text(path));
  }
}
