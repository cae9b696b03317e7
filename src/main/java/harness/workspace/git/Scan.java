package harness.workspace.git;

import harness.workspace.FileKind;
import harness.workspace.Inode;
import harness.workspace.Listing;
import harness.workspace.Name;
import harness.workspace.OpenDirectory;
import harness.workspace.Way;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;

/**
 * Looks at the files of a worktree, directory by directory on open handles: which are not as the
 * index has them, and which it does not have. One thread's part of it; {@link Scanners} shares the
 * directories out.
 */
final class Scan {
  private static final Name DOT_GIT = Name.of(".git");
  private static final Name HEAD = Name.of("HEAD");

  /** How deep below the first untracked directory is looked for something in it. */
  private static final int MAX_UNTRACKED_DEPTH = 128;

  /** The most untracked paths that are kept; what is beyond is counted. */
  private static final int MAX_UNTRACKED = Rows.MAX_PATHS;

  /**
   * What a scan looks for.
   *
   * @param top the top of the worktree
   * @param ours whether an entry that conflicts is compared by its second stage, or not at all
   * @param depth how many repositories lie around it
   */
  record Task(
      Way top,
      IndexFile index,
      StatRules rules,
      StoredForm storedForm,
      IgnoreFiles ignores,
      Submodules submodules,
      PathFilter filter,
      boolean ours,
      int depth) {
    /** The same for a repository that lies in others. */
    Task inner(int around) {
      return new Task(top, index, rules, storedForm, ignores, submodules, filter, ours, around);
    }
  }

  /**
   * A directory to look at.
   *
   * @param parent the one around it
   * @param from the number of its first entry in the index
   * @param to the number after its last
   * @param prefix how long its path is, with a slash at the end
   */
  record Step(Held parent, Name name, int from, int to, int prefix) {}

  private final Task task;
  private final IndexFile index;
  private final List<Worked> worked = new ArrayList<>();
  private final List<byte[]> untracked = new ArrayList<>();
  private long beyond;

  Scan(Task task) {
    this.task = task;
    this.index = task.index;
  }

  List<Worked> worked() {
    return worked;
  }

  /** Paths that the index does not have; directories end with a slash. */
  List<byte[]> untracked() {
    return untracked;
  }

  /** How many untracked paths there are besides. */
  long beyond() {
    return beyond;
  }

  /** Looks at a directory; those in it are added to what is to be looked at. */
  void look(Step step, List<Step> more) throws IOException, InterruptedException {
    OpenDirectory directory;
    try {
      directory = step.parent.directory().listable(step.name);
    } catch (NoSuchFileException | NotDirectoryException e) {
      missing(step.from, step.to);
      return;
    }
    Held held = new Held(directory);
    try {
      look(held, step, more);
    } finally {
      held.release();
    }
  }

  /** Looks at the top. */
  void top(List<Step> more) throws IOException, InterruptedException {
    Held held = new Held(task.top.directory().again());
    try {
      look(held, new Step(held, DOT_GIT, 0, index.size(), 0), more);
    } finally {
      held.release();
    }
  }

  private void look(Held held, Step step, List<Step> more)
      throws IOException, InterruptedException {
    OpenDirectory directory = held.directory();
    Listing listing = directory.listing();
    Map<Name, FileKind> kinds = Map.of();
    List<Name> found = new ArrayList<>();
    for (int at = step.from; at < step.to; ) {
      Interrupts.check();
      int end = index.nameEnd(at, step.prefix);
      Name name = Name.of(index.path(at, step.prefix, end));
      if (end == index.pathLength(at)) {
        int next = index.endOfPath(at, step.to);
        if (!isAskedFor(at, end, false) || file(directory, name, at, next)) {
          found.add(name);
        }
        at = next;
        continue;
      }
      int next = index.endOfPrefix(at, end + 1, step.to);
      kinds = kinds.isEmpty() ? kinds(directory, listing) : kinds;
      if (!isAskedFor(at, end, true)) {
        found.add(name);
      } else if (kinds.get(name) == FileKind.DIRECTORY) {
        found.add(name);
        more.add(new Step(held.kept(), name, at, next, end + 1));
      } else {
        missing(at, next);
      }
      at = next;
    }
    if (listing.count() != found.size()) {
      untracked(directory, step, listing, new HashSet<>(found));
    }
  }

  private boolean isAskedFor(int entry, int end, boolean isDirectory) {
    if (task.filter.isAll()) {
      return true;
    }
    byte[] path = index.path(entry, 0, end);
    return isDirectory ? task.filter.reaches(path) : task.filter.takes(path);
  }

  private static Map<Name, FileKind> kinds(OpenDirectory directory, Listing listing)
      throws IOException {
    Map<Name, FileKind> kinds = new HashMap<>();
    for (Listing.Entry entry : listing.entries()) {
      kinds.put(entry.name(), kind(directory, entry));
    }
    return kinds;
  }

  private void missing(int from, int to) {
    for (int entry = from; entry < to; entry++) {
      if (isCompared(entry) && !index.isUnwatched(entry) && task.filter.takes(index.path(entry))) {
        worked.add(Worked.of(entry, FileMode.MISSING));
      }
    }
  }

  private boolean isCompared(int entry) {
    return index.stage(entry) == (index.stage(entry) > 0 && task.ours ? 2 : 0);
  }

  /** Looks at a file; false where what lies there is something else and untracked. */
  private boolean file(OpenDirectory directory, Name name, int from, int to)
      throws IOException, InterruptedException {
    Optional<Inode> inode = directory.inode(name);
    if (inode.isEmpty()) {
      missing(from, to);
      return false;
    }
    boolean is = false;
    for (int entry = from; entry < to; entry++) {
      boolean gitlink = FileMode.GITLINK.equals(index.mode(entry));
      is |= gitlink || inode.get().kind() != FileKind.DIRECTORY;
      if (isCompared(entry) && !index.isUnwatched(entry)) {
        if (gitlink) {
          repository(entry, inode.get());
        } else {
          compare(directory, name, entry, inode.get());
        }
      }
    }
    return is;
  }

  private void compare(OpenDirectory directory, Name name, int entry, Inode inode)
      throws IOException {
    FileMode indexed = FileMode.fromBits(index.mode(entry));
    FileMode mode = mode(inode, indexed);
    if (!mode.equals(indexed)) {
      worked.add(Worked.of(entry, mode));
    } else if (!index.looksUnchanged(entry, inode, task.rules)) {
      if (index.hasOtherSize(entry, inode)) {
        worked.add(Worked.of(entry, mode));
        return;
      }
      try {
        ObjectId id =
            inode.kind() == FileKind.LINK
                ? StoredForm.id(directory.readLink(name))
                : task.storedForm.id(directory, name, index.path(entry));
        if (!id.equals(index.id(entry))) {
          worked.add(new Worked(entry, mode, Optional.of(id), Dirt.NONE));
        }
      } catch (NoSuchFileException e) {
        worked.add(Worked.of(entry, FileMode.MISSING));
      }
    }
  }

  private FileMode mode(Inode inode, FileMode indexed) {
    return switch (inode.kind()) {
      case FILE -> {
        boolean executable = (inode.mode() & 0100) != 0;
        boolean asIndexed =
            (!task.rules.fileMode() && FileMode.EXECUTABLE_FILE.equals(indexed))
                || (!task.rules.fileMode() && FileMode.REGULAR_FILE.equals(indexed))
                || (!task.rules.symlinks() && FileMode.SYMLINK.equals(indexed));
        yield asIndexed ? indexed : executable ? FileMode.EXECUTABLE_FILE : FileMode.REGULAR_FILE;
      }
      case LINK -> FileMode.SYMLINK;
      case DIRECTORY, FIFO, SOCKET, DEVICE, OTHER -> FileMode.MISSING;
    };
  }

  /**
   * A repository inside, of which the index has the commit; one not checked out counts as equal.
   */
  private void repository(int entry, Inode inode) throws InterruptedException {
    if (inode.kind() != FileKind.DIRECTORY) {
      worked.add(Worked.of(entry, mode(inode, FileMode.GITLINK)));
      return;
    }
    String path = index.text(entry);
    Submodules.Looks looks = task.submodules.at(path);
    if (looks == Submodules.Looks.AT_NOTHING) {
      return;
    }
    Optional<InnerRepository.State> state = InnerRepository.state(task.top, path, task.depth + 1);
    if (state.isPresent()) {
      ObjectId head = state.get().head();
      Dirt dirt = dirt(looks, state.get());
      if (!head.equals(index.id(entry)) || dirt != Dirt.NONE) {
        worked.add(new Worked(entry, FileMode.GITLINK, Optional.of(head), dirt));
      }
    }
  }

  private static Dirt dirt(Submodules.Looks looks, InnerRepository.State state) {
    if (state.modified() && looks != Submodules.Looks.AT_HEAD) {
      return Dirt.MODIFIED;
    }
    return state.untracked() && looks == Submodules.Looks.AT_ALL ? Dirt.UNTRACKED : Dirt.NONE;
  }

  private void untracked(OpenDirectory directory, Step step, Listing listing, Set<Name> tracked)
      throws IOException, InterruptedException {
    byte[] prefix = step.prefix == 0 ? new byte[0] : index.path(step.from, 0, step.prefix);
    for (Listing.Entry entry : listing.entries()) {
      Interrupts.check();
      if (!tracked.contains(entry.name()) && !entry.name().isIgnoringCase(".git")) {
        untracked(directory, prefix, entry);
      }
    }
  }

  private void untracked(OpenDirectory directory, byte[] prefix, Listing.Entry entry)
      throws IOException, InterruptedException {
    FileKind kind = kind(directory, entry);
    byte[] path = concat(prefix, entry.name().bytes());
    boolean isDirectory = kind == FileKind.DIRECTORY;
    if ((!isDirectory && kind != FileKind.FILE && kind != FileKind.LINK)
        || !(isDirectory ? task.filter.reaches(path) : task.filter.takes(path))
        || task.ignores.ignores(latin(prefix), latin(entry.name().bytes()), isDirectory)) {
      return;
    }
    if (!isDirectory) {
      keep(path);
    } else if (holdsSomething(directory, entry.name(), path, 0)) {
      keep(concat(path, new byte[] {'/'}));
    }
  }

  private void keep(byte[] path) {
    if (untracked.size() < MAX_UNTRACKED) {
      untracked.add(path);
    } else {
      beyond++;
    }
  }

  /** Whether an untracked directory holds anything that is not ignored; a repository does. */
  private boolean holdsSomething(OpenDirectory parent, Name name, byte[] path, int depth)
      throws IOException, InterruptedException {
    if (depth > MAX_UNTRACKED_DEPTH) {
      return true;
    }
    try (OpenDirectory directory = parent.listable(name)) {
      if (isRepository(directory)) {
        return true;
      }
      byte[] prefix = concat(path, new byte[] {'/'});
      List<Listing.Entry> directories = new ArrayList<>();
      for (Listing.Entry entry : directory.listing().entries()) {
        Interrupts.check();
        FileKind kind = kind(directory, entry);
        if (entry.name().isIgnoringCase(".git")) {
          continue;
        }
        if (kind == FileKind.DIRECTORY) {
          directories.add(entry);
        } else if ((kind == FileKind.FILE || kind == FileKind.LINK)
            && !task.ignores.ignores(latin(prefix), latin(entry.name().bytes()), false)) {
          return true;
        }
      }
      for (Listing.Entry entry : directories) {
        if (!task.ignores.ignores(latin(prefix), latin(entry.name().bytes()), true)
            && holdsSomething(
                directory, entry.name(), concat(prefix, entry.name().bytes()), depth + 1)) {
          return true;
        }
      }
      return false;
    } catch (NoSuchFileException | NotDirectoryException e) {
      return false;
    }
  }

  static boolean isRepository(OpenDirectory directory) throws IOException {
    Optional<FileKind> git = directory.status(DOT_GIT).map(status -> status.kind());
    if (git.isEmpty() || git.get() != FileKind.DIRECTORY) {
      return git.isPresent();
    }
    try (OpenDirectory inner = directory.directory(DOT_GIT)) {
      return inner.status(HEAD).isPresent();
    } catch (NoSuchFileException | NotDirectoryException e) {
      return false;
    }
  }

  private static FileKind kind(OpenDirectory directory, Listing.Entry entry) throws IOException {
    return entry.kind() == FileKind.OTHER
        ? directory.inode(entry.name()).map(Inode::kind).orElse(FileKind.OTHER)
        : entry.kind();
  }

  private static byte[] concat(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private static String latin(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
