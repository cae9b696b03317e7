package harness.workspace.git;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.jgit.attributes.Attributes;
import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.dircache.DirCacheEntry;
import org.eclipse.jgit.dircache.InvalidPathException;
import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.treewalk.WorkingTreeIterator;

/** Puts single paths of a worktree into an index, or says why not. */
final class Staging {
  private final Config config;
  private final DirCache index;
  private final CheckIn checkIn;
  private final PathDisplay display;
  private final IndexEdit edit = new IndexEdit();
  private final List<String> lines = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final Refusals refusals = new Refusals("added");

  Staging(Config config, DirCache index, CheckIn checkIn, PathDisplay display) {
    this.config = config;
    this.index = index;
    this.checkIn = checkIn;
    this.display = display;
  }

  /** What is to become of the index. */
  IndexEdit edit() {
    return edit;
  }

  /** What it did. */
  GitReport report() {
    return new GitReport(lines, notes);
  }

  /** The paths that can't be added, each with the reason. */
  Refusals refusals() {
    return refusals;
  }

  void refuse(String path, String why) {
    refusals.add(shown(path) + " " + why);
  }

  void note(String note) {
    notes.add(note);
  }

  /** A file that went away. */
  void gone(String path, DirCacheEntry entry) {
    if (entry.isSkipWorkTree() || entry.isAssumeValid()) {
      return;
    }
    if (!TreePaths.isUtf8(path)) {
      note(
          shown(path) + " was left alone: its name is no UTF-8, which git add in the shell knows");
      return;
    }
    edit.remove(path);
    lines.add("D " + shown(path));
  }

  /**
   * A file or link that is there.
   *
   * @param before what the index has at the path, of a conflict its first part
   */
  void present(
      String path,
      Optional<DirCacheEntry> before,
      Attributes attributes,
      WorkingTreeIterator work)
      throws IOException {
    boolean unmerged = before.filter(entry -> entry.getStage() > 0).isPresent();
    Optional<DirCacheEntry> known =
        before.filter(entry -> !unmerged && !entry.isIntentToAdd());
    if (known.isPresent()
        && work.compareMetadata(known.get()) == WorkingTreeIterator.MetadataDiff.EQUAL) {
      return;
    }
    if (FileMode.SYMLINK.equals(work.getEntryRawMode())) {
      put(path, known, FileMode.SYMLINK, checkIn.link(TreePaths.bytes(path)), work);
      return;
    }
    Optional<DirCacheEntry> ours = unmerged ? ours(path) : known;
    ObjectId old = ours.map(DirCacheEntry::getObjectId).orElse(ObjectId.zeroId());
    switch (checkedIn(path, attributes, old)) {
      case CheckIn.Result.Refused(String why) -> refuse(path, why);
      case CheckIn.Result.Kept(ObjectId id, Optional<String> note) -> {
        put(path, known, mode(ours.map(DirCacheEntry::getFileMode), work), id, work);
        note.ifPresent(said -> note(shown(path) + ": " + said));
      }
    }
    if (unmerged) {
      note(shown(path) + ": its conflict counts as resolved");
    }
  }

  private CheckIn.Result checkedIn(String path, Attributes attributes, ObjectId old)
      throws IOException {
    try {
      return checkIn.file(TreePaths.bytes(path), attributes, old);
    } catch (GitException e) {
      return new CheckIn.Result.Refused("can't be read: " + e.getMessage());
    }
  }

  /** A repository in the worktree, of which git keeps no more than the commit that it is at. */
  void repository(
      String path, Optional<DirCacheEntry> before, boolean named, WorkingTreeIterator work) {
    boolean submodule =
        before.filter(entry -> FileMode.GITLINK.equals(entry.getRawMode())).isPresent();
    ObjectId head = work.getEntryObjectId();
    if (!submodule) {
      String why =
          "is a repository of its own; make it a submodule with git submodule add in the shell, or"
              + " ignore it";
      if (named) {
        refuse(path, why);
      } else {
        note(shown(path) + " was left out: it " + why);
      }
    } else if (head.equals(ObjectId.zeroId())) {
      refuse(path, "is a submodule, and which commit it is at can't be told; git add it in the shell");
    } else if (before.filter(entry -> entry.getObjectId().equals(head)).isEmpty()) {
      put(path, before, FileMode.GITLINK, head, work);
    }
  }

  private void put(
      String path,
      Optional<DirCacheEntry> known,
      FileMode mode,
      ObjectId id,
      WorkingTreeIterator work) {
    DirCacheEntry entry;
    try {
      entry = new DirCacheEntry(TreePaths.bytes(path));
    } catch (InvalidPathException e) {
      refuse(path, "has a name that git does not allow; rename it");
      return;
    }
    entry.setFileMode(mode);
    entry.setObjectId(id);
    if (!FileMode.GITLINK.equals(mode)) {
      entry.setLength(work.getEntryLength());
      entry.setLastModified(work.getEntryLastModifiedInstant());
    }
    edit.put(path, entry);
    if (known.isEmpty()) {
      lines.add((Tracked.file(index, TreePaths.text(path)) ? "M " : "A ") + shown(path));
    } else if (((known.get().getRawMode() ^ mode.getBits()) & FileMode.TYPE_MASK) != 0) {
      lines.add("T " + shown(path));
    } else if (!known.get().getObjectId().equals(id) || known.get().getRawMode() != mode.getBits()) {
      lines.add("M " + shown(path));
    }
  }

  /** What a file counts as where the system does not tell links or programs from other files. */
  private FileMode mode(Optional<FileMode> before, WorkingTreeIterator work) {
    if (!config.getBoolean("core", null, "symlinks", true)
        && before.filter(FileMode.SYMLINK::equals).isPresent()) {
      return FileMode.SYMLINK;
    }
    if (config.getBoolean("core", null, "filemode", true)) {
      return work.getEntryFileMode();
    }
    return before.filter(FileMode.EXECUTABLE_FILE::equals).orElse(FileMode.REGULAR_FILE);
  }

  /** Our side of a conflict. */
  private Optional<DirCacheEntry> ours(String path) {
    byte[] bytes = TreePaths.bytes(path);
    int at = index.findEntry(bytes, bytes.length);
    for (int i = Math.max(0, at); at >= 0 && i < index.getEntryCount(); i++) {
      DirCacheEntry entry = index.getEntry(i);
      if (!TreePaths.key(entry.getRawPath()).equals(path)) {
        return Optional.empty();
      }
      if (entry.getStage() == DirCacheEntry.STAGE_2) {
        return Optional.of(entry);
      }
    }
    return Optional.empty();
  }

  private String shown(String path) {
    return display.shown(TreePaths.text(path));
  }
}
