package harness.workspace.git;

import harness.workspace.FileKind;
import harness.workspace.FileStatus;
import harness.workspace.Name;
import harness.workspace.PathException;
import harness.workspace.Way;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where a repository lies: open directories, all of them reached inside the read root.
 *
 * @param worktree the top of the checkout; not closed with this
 * @param gitDir what belongs to this worktree alone: HEAD, index
 * @param commonDir what all worktrees share: refs, config; the same as {@code gitDir} except in a
 *     linked worktree
 * @param objects the repository's directory of objects, then those that it borrows from
 */
record GitDirs(Way worktree, Way gitDir, Way commonDir, List<Way> objects)
    implements AutoCloseable {
  private static final int MAX_POINTER_BYTES = 4 * 1024;
  private static final int MAX_ALTERNATES_BYTES = 64 * 1024;

  /** How many directories of objects one repository may borrow from, theirs included. */
  private static final int MAX_ALTERNATES = 16;

  private static final Name DOT_GIT = Name.of(".git");
  private static final Name HEAD = Name.of("HEAD");

  GitDirs {
    objects = List.copyOf(objects);
  }

  /**
   * Finds the repository of a directory: the first {@code .git} from it upwards, not beyond the
   * read root.
   *
   * @param cwd stays open as long as this is used
   * @throws PathException {@code NOT_FOUND} where there is none, {@code OUTSIDE} where any part of
   *     it lies outside the read root
   */
  static GitDirs find(Way cwd) throws IOException {
    for (Optional<Way> at = Optional.of(cwd); at.isPresent(); at = at.get().up()) {
      Optional<GitDirs> found = at(at.get());
      if (found.isPresent()) {
        return found.get();
      }
    }
    throw new PathException(
        PathException.Kind.NOT_FOUND,
        "no git repository holds "
            + cwd.path()
            + ": neither it nor a directory above it up to "
            + cwd.readRoot()
            + " has a .git; use a working directory inside a checkout");
  }

  /** The repository of a directory that has a {@code .git} itself; empty where it has none. */
  static Optional<GitDirs> at(Way worktree) throws IOException {
    Optional<Way> gitDir = gitDirOf(worktree);
    return gitDir.isEmpty() ? Optional.empty() : Optional.of(in(worktree, gitDir.get()));
  }

  private static GitDirs in(Way worktree, Way gitDir) throws IOException {
    List<Way> opened = new ArrayList<>(List.of(gitDir));
    try {
      Optional<String> pointer = GitFile.text(gitDir, "commondir", MAX_POINTER_BYTES);
      Way commonDir = gitDir;
      if (pointer.isPresent()) {
        String what = "the common git directory of " + worktree.path();
        commonDir = inside(gitDir, what, pointer.get().strip());
        opened.addFirst(commonDir);
      }
      List<Way> objects = new ArrayList<>();
      addObjects(worktree, commonDir, objects, opened);
      return new GitDirs(worktree, gitDir, commonDir, objects);
    } catch (IOException | RuntimeException e) {
      opened.forEach(Way::close);
      throw e;
    }
  }

  private static Optional<Way> gitDirOf(Way at) throws IOException {
    Optional<FileStatus> status = at.directory().status(DOT_GIT);
    if (status.isEmpty()) {
      return Optional.empty();
    }
    String what = "the git directory of " + at.path();
    if (status.get().kind() != FileKind.FILE) {
      Way gitDir = inside(at, what, ".git");
      boolean whole = false;
      try {
        whole = gitDir.directory().status(HEAD).isPresent();
      } finally {
        if (!whole) {
          gitDir.close();
        }
      }
      return whole ? Optional.of(gitDir) : Optional.empty();
    }
    String text = GitFile.text(at, ".git", MAX_POINTER_BYTES).orElse("");
    if (!text.startsWith("gitdir:")) {
      throw new GitException(
          at.path()
              + "/.git is neither a directory nor a line 'gitdir: PATH'; git can't use it either");
    }
    return Optional.of(inside(at, what, text.substring("gitdir:".length()).strip()));
  }

  private static void addObjects(Way worktree, Way commonDir, List<Way> found, List<Way> opened)
      throws IOException {
    Way own;
    try {
      own = inside(commonDir, "what git keeps for " + worktree.path(), "objects");
    } catch (PathException e) {
      if (e.kind() != PathException.Kind.NOT_FOUND) {
        throw e;
      }
      throw new GitException(
          "the repository of "
              + worktree.path()
              + " has no objects in "
              + commonDir.path()
              + "; clone it anew",
          e);
    }
    opened.addFirst(own);
    found.add(own);
    for (int i = 0; i < found.size(); i++) {
      Way objects = found.get(i);
      Optional<String> listed = GitFile.text(objects, "info/alternates", MAX_ALTERNATES_BYTES);
      for (String line : listed.orElse("").lines().toList()) {
        if (!line.isBlank() && !line.startsWith("#")) {
          borrow(objects, line, found, opened);
        }
      }
    }
  }

  private static void borrow(Way objects, String line, List<Way> found, List<Way> opened)
      throws IOException {
    String what = "what " + objects.path() + "/info/alternates borrows objects from";
    Way other = inside(objects, what, line);
    if (found.stream().anyMatch(known -> known.path().equals(other.path()))) {
      other.close();
      return;
    }
    opened.addFirst(other);
    if (found.size() > MAX_ALTERNATES) {
      throw new GitException(
          found.getFirst().path()
              + " borrows from more than "
              + MAX_ALTERNATES
              + " other repositories");
    }
    found.add(other);
  }

  private static Way inside(Way from, String what, String path) throws IOException {
    try {
      return from.to(what, path.isEmpty() ? "." : path);
    } catch (PathException e) {
      if (e.kind() != PathException.Kind.OUTSIDE) {
        throw e;
      }
      throw new PathException(
          PathException.Kind.OUTSIDE,
          what
              + " lies outside the workspace "
              + from.readRoot()
              + ", so it is not read; keep the whole repository inside the workspace",
          e);
    }
  }

  /** Closes what was opened for it, which is all but the worktree. */
  @Override
  public void close() {
    objects.reversed().forEach(Way::close);
    if (commonDir != gitDir) {
      commonDir.close();
    }
    gitDir.close();
  }
}
