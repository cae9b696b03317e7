package harness.workspace.git;

import harness.workspace.Handles;
import harness.workspace.Name;
import harness.workspace.PathException;
import harness.workspace.Root;
import harness.workspace.Way;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.eclipse.jgit.errors.CorruptObjectException;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.Repository;

/**
 * What a repository says, seen from a directory in one of its worktrees. It runs nothing that the
 * repository names, goes nowhere that it points outside the read root, and writes nothing. For one
 * thread.
 *
 * <p>Its methods throw {@link PathException} or {@link GitException}, whose messages are sentences
 * for whoever asked, and {@link InterruptedException} soon after an interrupt.
 */
public final class GitView implements AutoCloseable {
  /** The most bytes of a diff that are kept. */
  public static final int MAX_TEXT_BYTES = 1024 * 1024;

  /** The most commits that one log lists. */
  public static final int MAX_COMMITS = 1_000;

  /** The longest time that the origins of lines are looked for. */
  public static final Duration MAX_BLAME = Duration.ofSeconds(20);

  private final Way cwd;
  private final GitDirs dirs;
  private final Repository repository;

  /** What is closed with it. */
  private final List<Root> own;

  private GitView(Way cwd, GitDirs dirs, Repository repository, List<Root> own) {
    this.cwd = cwd;
    this.dirs = dirs;
    this.repository = repository;
    this.own = own;
  }

  /**
   * Opens the repository of a working directory.
   *
   * @param root stays open as long as the view
   * @throws PathException where no repository holds it, or any part of one lies outside the read
   *     root
   * @throws GitException where it is of a format that can't be read
   */
  public static GitView open(Root root) throws IOException, InterruptedException {
    return open(root, List.of());
  }

  private static GitView open(Root root, List<Root> own) throws IOException, InterruptedException {
    Way cwd = root.way();
    return guarded(
        cwd,
        () -> {
          GitDirs dirs = GitDirs.find(cwd);
          try {
            return new GitView(cwd, dirs, OpenRepository.open(dirs), own);
          } catch (IOException | RuntimeException e) {
            dirs.close();
            throw e;
          }
        });
  }

  /**
   * Opens the repository of a directory, with a root of its own.
   *
   * @param readRoot the workspace root
   * @param cwd the directory, under it
   */
  public static GitView open(Path readRoot, Path cwd) throws IOException, InterruptedException {
    RandomGenerator none =
        () -> {
          throw new IllegalStateException("a view writes nothing");
        };
    Root root = Root.open(Handles.system(none), readRoot.toString(), cwd.toString());
    try {
      return open(root, List.of(root));
    } catch (IOException | InterruptedException | RuntimeException e) {
      root.close();
      throw e;
    }
  }

  /** The top of the worktree. */
  public String worktree() {
    return dirs.worktree().path();
  }

  /** The branch that is checked out, without {@code refs/heads/}; empty where HEAD is detached. */
  public Optional<String> branch() throws IOException, InterruptedException {
    return guarded(
        cwd,
        () -> {
          Ref head = repository.exactRef(Constants.HEAD);
          return head != null && head.isSymbolic()
              ? Optional.of(Repository.shortenRefName(head.getTarget().getName()))
              : Optional.empty();
        });
  }

  /** The state of the worktree, whole. */
  public GitStatus status() throws IOException, InterruptedException {
    return guarded(cwd, () -> StatusReader.read(dirs, repository));
  }

  /** The lines of a status, with paths relative to the directory. */
  public List<String> lines(GitStatus status) {
    return status.lines(new PathDisplay(prefix()));
  }

  /** Compares two of revision, index and worktree. */
  public GitDiff diff(DiffQuery query) throws IOException, InterruptedException {
    PathFilter paths = filter(query.paths());
    return guarded(cwd, () -> new DiffReader(Worktree.open(dirs, repository)).read(query, paths));
  }

  /**
   * Lists the commits that HEAD leads to.
   *
   * @param max how many, at least 1; at most {@link #MAX_COMMITS} are listed
   * @param path only those that changed it; relative to the directory or absolute
   */
  public GitLog log(int max, Optional<String> path) throws IOException, InterruptedException {
    PathFilter paths = filter(path.stream().toList());
    int bounded = Math.clamp(max, 1, MAX_COMMITS);
    return guarded(cwd, () -> LogReader.read(repository, bounded, paths));
  }

  /**
   * Shows a commit with its change, a tag, a directory or the content of a file.
   *
   * @param revision such as {@code HEAD~2} or {@code v1.0}, or {@code REVISION:PATH}; a path starts
   *     at the top of the worktree, or with {@code ./} at the directory
   */
  public GitShow show(String revision) throws IOException, InterruptedException {
    return guarded(cwd, () -> new ShowReader(repository, dirs).read(revision, prefix()));
  }

  /**
   * Finds the commits that the lines of a file came with: of the file as it is in the worktree, or
   * where that has none, in HEAD.
   *
   * @param argument relative to the directory or absolute
   * @param from the first line, from 1
   * @param to the last line
   * @param clock for the time that it may take, {@link #MAX_BLAME}
   */
  public GitBlame blame(String argument, int from, int to, InstantSource clock)
      throws IOException, InterruptedException {
    String path = new String(treePath(argument), StandardCharsets.UTF_8);
    return guarded(
        cwd, () -> new BlameReader(repository, dirs, clock).read(path, from, to, MAX_BLAME));
  }

  @Override
  public void close() {
    repository.close();
    dirs.close();
    own.forEach(Root::close);
  }

  /** Where the directory lies, from the top of the worktree, with slashes; empty at the top. */
  public String prefix() {
    return String.join("/", cwd.below(dirs.worktree()).stream().map(Name::toString).toList());
  }

  private PathFilter filter(List<String> arguments) throws PathException {
    List<byte[]> paths = new ArrayList<>();
    for (String argument : arguments) {
      byte[] path = treePath(argument);
      if (path.length == 0) {
        return PathFilter.ALL;
      }
      paths.add(path);
    }
    return new PathFilter(paths);
  }

  /** A path argument as the index has paths; empty for the top of the worktree. */
  private byte[] treePath(String argument) throws PathException {
    Optional<byte[]> path = inWorktree(cwd.letters(argument));
    if (path.isEmpty()) {
      path = throughLinks(argument);
    }
    return path.orElseThrow(
        () ->
            new PathException(
                PathException.Kind.OUTSIDE,
                argument
                    + " is outside the repository "
                    + worktree()
                    + "; name a path in it, relative to "
                    + cwd.path()
                    + " or absolute"));
  }

  /** With links followed on the way to its last name. */
  private Optional<byte[]> throughLinks(String argument) {
    int slash = argument.lastIndexOf('/');
    String parent = slash < 0 ? "." : argument.substring(0, Math.max(1, slash));
    String name = argument.substring(slash + 1);
    try (Way way = cwd.to("the directory of", parent)) {
      return inWorktree(way.letters(name.isEmpty() ? "." : name));
    } catch (PathException e) {
      return Optional.empty();
    }
  }

  private Optional<byte[]> inWorktree(Optional<List<Name>> names) throws PathException {
    List<Name> top = dirs.worktree().letters(".").orElseThrow();
    if (names.isEmpty()
        || names.get().size() < top.size()
        || !names.get().subList(0, top.size()).equals(top)) {
      return Optional.empty();
    }
    ByteArrayOutputStream path = new ByteArrayOutputStream();
    for (Name name : names.get().subList(top.size(), names.get().size())) {
      if (path.size() > 0) {
        path.write('/');
      }
      path.writeBytes(name.bytes());
    }
    return Optional.of(path.toByteArray());
  }

  /** The tree of a revision. */
  static ObjectId tree(Repository repository, String revision) throws IOException {
    ObjectId id = null;
    try {
      id = repository.resolve(revision + "^{tree}");
    } catch (PathException | InterruptedIOException e) {
      throw e;
    } catch (RuntimeException | IOException e) {
      throw new GitException(revision + " names no revision of this repository", e);
    }
    if (id == null) {
      throw new GitException(
          revision + " names no revision of this repository; git_log lists commits");
    }
    return id;
  }

  /** The tree of HEAD; empty where there is no commit yet. */
  static Optional<ObjectId> headTree(Repository repository) throws IOException {
    return Optional.ofNullable(repository.resolve(Constants.HEAD + "^{tree}"));
  }

  Repository repository() {
    return repository;
  }

  GitDirs dirs() {
    return dirs;
  }

  /** Reads with the failures of this repository made sentences. */
  <T> T guarded(Reading<T> reading) throws IOException, InterruptedException {
    return guarded(cwd, reading);
  }

  /** What is done with an open repository. */
  interface Reading<T> {
    T read() throws IOException, InterruptedException;
  }

  /**
   * What JGit throws over a damaged repository, made a sentence. Its own messages may quote what it
   * read, so only those that name ids are passed on.
   */
  private static <T> T guarded(Way cwd, Reading<T> reading)
      throws IOException, InterruptedException {
    try {
      return reading.read();
    } catch (PathException | GitException e) {
      throw e;
    } catch (InterruptedIOException | ClosedByInterruptException e) {
      throw interrupted(e);
    } catch (MissingObjectException | CorruptObjectException e) {
      throw new GitException(
          "the repository of " + cwd.path() + " is damaged or not whole: " + e.getMessage(), e);
    } catch (FileSystemException e) {
      throw new GitException(
          "the repository of " + cwd.path() + " can't be read: " + e.getMessage(), e);
    } catch (UncheckedIOException e) {
      return guarded(
          cwd,
          () -> {
            throw e.getCause();
          });
    } catch (IOException | RuntimeException e) {
      throw new GitException(
          "the repository of "
              + cwd.path()
              + " can't be read ("
              + e.getClass().getSimpleName()
              + "); git fsck may name the fault",
          e);
    }
  }

  private static InterruptedException interrupted(IOException cause) {
    // The exception carries the interrupt from here on.
    Thread.interrupted();
    InterruptedException interrupted = new InterruptedException(cause.getMessage());
    interrupted.initCause(cause);
    return interrupted;
  }
}
