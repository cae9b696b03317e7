package harness.workspace.git;

import harness.workspace.PathException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where a repository lies: real paths, all of them inside the read root.
 *
 * @param readRoot the workspace root
 * @param worktree the directory of the checkout
 * @param gitDir what belongs to this worktree alone: HEAD, index
 * @param commonDir what all worktrees share: objects, refs, config; the same as {@code gitDir}
 *     except in a linked worktree
 * @param alternates further directories of objects that the repository borrows from
 */
record GitPlaces(Path readRoot, Path worktree, Path gitDir, Path commonDir, List<Path> alternates) {
  private static final int MAX_POINTER_BYTES = 4 * 1024;
  private static final int MAX_ALTERNATES_BYTES = 64 * 1024;

  /** How many directories of objects one repository may borrow from, theirs included. */
  private static final int MAX_ALTERNATES = 16;

  GitPlaces {
    alternates = List.copyOf(alternates);
  }

  /**
   * Finds the repository of a directory: the first {@code .git} from it upwards, not beyond the
   * read root.
   *
   * @param readRoot a real path
   * @param cwd a real path under it
   * @throws PathException {@code NOT_FOUND} where there is none, {@code OUTSIDE} where any part of
   *     it lies outside the read root
   */
  static GitPlaces find(Path readRoot, Path cwd) throws IOException {
    if (!cwd.startsWith(readRoot)) {
      throw new PathException(
          PathException.Kind.OUTSIDE, cwd + " is outside the workspace " + readRoot);
    }
    for (Path at = cwd; at != null && at.startsWith(readRoot); at = at.getParent()) {
      Optional<Path> gitDir = gitDirOf(readRoot, at);
      if (gitDir.isPresent()) {
        return in(readRoot, at, gitDir.get());
      }
    }
    throw new PathException(
        PathException.Kind.NOT_FOUND,
        "no git repository holds "
            + cwd
            + ": neither it nor a directory above it up to "
            + readRoot
            + " has a .git; use a working directory inside a checkout");
  }

  /** The repository of a directory that has a {@code .git} itself; empty where it has none. */
  static Optional<GitPlaces> at(Path readRoot, Path worktree) throws IOException {
    Optional<Path> gitDir = gitDirOf(readRoot, worktree);
    return gitDir.isEmpty() ? Optional.empty() : Optional.of(in(readRoot, worktree, gitDir.get()));
  }

  private static GitPlaces in(Path readRoot, Path worktree, Path gitDir) throws IOException {
    Optional<String> pointer = SmallFile.text(gitDir.resolve("commondir"), MAX_POINTER_BYTES);
    Path commonDir =
        pointer.isEmpty()
            ? gitDir
            : contained(
                readRoot,
                resolve(gitDir, pointer.get().strip()),
                "the common git directory of " + worktree);
    if (!Files.isDirectory(commonDir.resolve("objects"))) {
      throw new GitException(
          "the repository of " + worktree + " has no objects in " + commonDir + "; clone it anew");
    }
    List<Path> alternates = new ArrayList<>();
    addAlternates(readRoot, commonDir.resolve("objects"), alternates);
    GitPlaces places = new GitPlaces(readRoot, worktree, gitDir, commonDir, alternates);
    GitLinks.check(places);
    return places;
  }

  private static Optional<Path> gitDirOf(Path readRoot, Path at) throws IOException {
    Path dotGit = at.resolve(".git");
    if (!Files.exists(dotGit, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    if (Files.isDirectory(dotGit)) {
      Path real = contained(readRoot, dotGit, "the git directory of " + at);
      return Files.exists(real.resolve("HEAD"), LinkOption.NOFOLLOW_LINKS)
          ? Optional.of(real)
          : Optional.empty();
    }
    contained(readRoot, dotGit, "the .git of " + at);
    String text = SmallFile.text(dotGit, MAX_POINTER_BYTES).orElse("");
    if (!text.startsWith("gitdir:")) {
      throw new GitException(
          dotGit + " is neither a directory nor a line 'gitdir: PATH'; git can't use it either");
    }
    Path target = resolve(at, text.substring("gitdir:".length()).strip());
    return Optional.of(contained(readRoot, target, "the git directory of " + at));
  }

  private static void addAlternates(Path readRoot, Path objects, List<Path> found)
      throws IOException {
    Optional<String> listed =
        SmallFile.text(objects.resolve("info").resolve("alternates"), MAX_ALTERNATES_BYTES);
    for (String line : listed.orElse("").lines().toList()) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      Path other =
          contained(
              readRoot,
              resolve(objects, line),
              "what " + objects + "/info/alternates borrows objects from");
      if (found.contains(other)) {
        continue;
      }
      if (found.size() == MAX_ALTERNATES) {
        throw new GitException(
            objects + " borrows from more than " + MAX_ALTERNATES + " other repositories");
      }
      found.add(other);
      addAlternates(readRoot, other, found);
    }
  }

  private static Path resolve(Path base, String name) throws GitException {
    try {
      return base.resolve(name);
    } catch (InvalidPathException e) {
      throw new GitException("a file of git below " + base + " holds no path", e);
    }
  }

  /** The real path, links resolved, refused where it leaves the read root. */
  static Path contained(Path readRoot, Path path, String what) throws IOException {
    Path real;
    try {
      real = path.toRealPath();
    } catch (NoSuchFileException e) {
      if (path.normalize().startsWith(readRoot)) {
        throw new PathException(
            PathException.Kind.NOT_FOUND,
            what + " is " + path.normalize() + ", which is not there",
            e);
      }
      throw outside(readRoot, what);
    } catch (FileSystemException e) {
      throw new PathException(
          PathException.Kind.SYSTEM, what + " is " + path + ", which can't be reached", e);
    }
    if (!real.startsWith(readRoot)) {
      throw outside(readRoot, what);
    }
    return real;
  }

  private static PathException outside(Path readRoot, String what) {
    return new PathException(
        PathException.Kind.OUTSIDE,
        what
            + " lies outside the workspace "
            + readRoot
            + ", so it is not read; keep the whole repository inside the workspace");
  }
}
