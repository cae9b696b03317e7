package harness.workspace.git;

import harness.workspace.FileKind;
import harness.workspace.Inode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;

/** Puts single paths of a worktree into its index, or says why not. */
final class Staging {
  private final Worktree worktree;
  private final IndexFile index;
  private final StatRules rules;
  private final CheckIn checkIn;
  private final PathDisplay display;
  private final IndexEdit edit;

  /** By paths, in the order of an index. */
  private final Map<byte[], String> lines = new TreeMap<>(Arrays::compareUnsigned);

  private final List<String> notes = new ArrayList<>();
  private final Refusals refusals = new Refusals("added");

  Staging(Worktree worktree, CheckIn checkIn, PathDisplay display) {
    this.worktree = worktree;
    this.index = worktree.index();
    this.rules = StatRules.of(worktree.repository().getConfig());
    this.checkIn = checkIn;
    this.display = display;
    this.edit = new IndexEdit(index);
  }

  /** What is to become of the index. */
  IndexEdit edit() {
    return edit;
  }

  /** The paths that can't be added, each with the reason. */
  Refusals refusals() {
    return refusals;
  }

  /** What it did, in the order of paths. */
  GitReport report() {
    return new GitReport(List.copyOf(lines.values()), notes);
  }

  void refuse(byte[] path, String why) {
    refusals.add(shown(path) + " " + why);
  }

  void note(String note) {
    notes.add(note);
  }

  /** A file that went away. */
  void gone(byte[] path) {
    edit.remove(path);
    done("D", path);
  }

  /**
   * A file or a link.
   *
   * @param entry the number of its entry; -1 where the index has none that is more than intended
   */
  void present(byte[] path, int entry) throws IOException {
    Optional<Inode> inode = worktree.files().inode(path);
    if (inode.isEmpty()) {
      refuse(path, "went away while it was added; try again");
      return;
    }
    Optional<FileMode> before = before(path);
    if (inode.get().kind() == FileKind.LINK) {
      put(path, entry, before, FileMode.SYMLINK, checkIn.link(path), inode);
      return;
    }
    int ours = ours(path);
    switch (checkedIn(path, ours < 0 ? ObjectId.zeroId() : index.id(ours))) {
      case CheckIn.Result.Refused(String why) -> refuse(path, why);
      case CheckIn.Result.Kept(ObjectId id, Optional<String> note) -> {
        put(path, entry, before, mode(before, inode.get()), id, inode);
        note.ifPresent(said -> note(shown(path) + ": " + said));
      }
    }
  }

  private CheckIn.Result checkedIn(byte[] path, ObjectId old) throws IOException {
    try {
      return checkIn.file(path, worktree.attributes().of(path), old);
    } catch (GitException e) {
      return new CheckIn.Result.Refused("can't be read: " + e.getMessage());
    }
  }

  /** The commit that a submodule is at. */
  void submodule(byte[] path, int entry, ObjectId head) {
    put(path, entry, before(path), FileMode.GITLINK, head, Optional.empty());
  }

  /** A repository that is no submodule, of which git would keep no more than a commit's id. */
  void repository(byte[] path, boolean named) {
    String why =
        "is a repository of its own; make it a submodule with git submodule add in the shell, or"
            + " ignore it";
    if (named) {
      refuse(path, why);
    } else {
      note(shown(path) + " was left out: it " + why);
    }
  }

  private void put(
      byte[] path,
      int entry,
      Optional<FileMode> before,
      FileMode mode,
      ObjectId id,
      Optional<Inode> inode) {
    edit.put(path, new IndexEdit.Entry(mode, id, inode));
    boolean conflict = entry >= 0 && index.stage(entry) > 0;
    if (conflict) {
      note(shown(path) + ": its conflict counts as resolved");
    }
    if (entry < 0 || before.isEmpty()) {
      done("A", path);
    } else if (((before.get().getBits() ^ mode.getBits()) & FileMode.TYPE_MASK) != 0) {
      done("T", path);
    } else if (conflict || !index.id(entry).equals(id) || !before.get().equals(mode)) {
      done("M", path);
    }
  }

  /** What the index has at a path; of a conflict our side. */
  private Optional<FileMode> before(byte[] path) {
    int ours = ours(path);
    return ours < 0 ? Optional.empty() : Optional.of(FileMode.fromBits(index.mode(ours)));
  }

  private int ours(byte[] path) {
    for (int at = index.find(path); index.hasPath(at, path); at++) {
      if ((index.stage(at) == 0 && !index.isIntended(at)) || index.stage(at) == 2) {
        return at;
      }
    }
    return -1;
  }

  /** What a file counts as, also where the system does not tell links or programs from others. */
  private FileMode mode(Optional<FileMode> before, Inode inode) {
    if (!rules.symlinks() && before.equals(Optional.of(FileMode.SYMLINK))) {
      return FileMode.SYMLINK;
    }
    boolean executable =
        rules.fileMode()
            ? (inode.mode() & 0100) != 0
            : before.equals(Optional.of(FileMode.EXECUTABLE_FILE));
    return executable ? FileMode.EXECUTABLE_FILE : FileMode.REGULAR_FILE;
  }

  private void done(String code, byte[] path) {
    lines.put(path, code + " " + shown(path));
  }

  private String shown(byte[] path) {
    return display.shown(Wanted.text(path));
  }
}
