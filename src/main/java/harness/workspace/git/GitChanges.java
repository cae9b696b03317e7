package harness.workspace.git;

import harness.workspace.Name;
import harness.workspace.PathException;
import harness.workspace.Root;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileSystemException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What can be changed in the repository of a working directory. As {@link GitView} it runs nothing
 * that the repository names; what it writes, it writes by open directories, so that nothing that is
 * swapped meanwhile leads it elsewhere. Where another git process is at work it waits for at most
 * {@link LockWait#USUAL}. For one thread.
 *
 * <p>Its methods throw as those of {@link GitView} do. A call that ends so, or that is cut off by a
 * kill, leaves a repository that git can read: objects are on stable storage before the index that
 * names them, the index before a ref.
 */
public final class GitChanges implements AutoCloseable {
  private final Root root;
  private final GitView view;
  private final LockWait wait;

  private GitChanges(Root root, GitView view, LockWait wait) {
    this.root = root;
    this.view = view;
    this.wait = wait;
  }

  /**
   * Opens the repository of a root's working directory.
   *
   * @param root stays open as long as this
   * @param clock tells how old another process's lock is
   */
  public static GitChanges open(Root root, InstantSource clock)
      throws IOException, InterruptedException {
    return open(root, new LockWait(LockWait.USUAL, clock));
  }

  static GitChanges open(Root root, LockWait wait) throws IOException, InterruptedException {
    return new GitChanges(root, GitView.open(root), wait);
  }

  /**
   * Makes the index what the worktree is, deletions included: all of the paths or none.
   *
   * @param paths files and directories under the working directory, taken by their letters; what is
   *     ignored is left out unless it is a file named by itself
   */
  public GitReport add(List<String> paths) throws IOException, InterruptedException {
    Wanted wanted = wanted(paths);
    return locked((worktree, lock) -> Adding.run(worktree, lock, wanted, display()));
  }

  /** Makes files under the working directory what the index has. */
  public GitReport restore(List<String> paths) throws IOException, InterruptedException {
    Wanted wanted = wanted(paths);
    return locked((worktree, lock) -> Restoring.run(worktree, lock, root, wanted, display()));
  }

  /** Makes the index what HEAD has; files stay as they are. */
  public GitReport unstage(List<String> paths) throws IOException, InterruptedException {
    Wanted wanted = wanted(paths);
    return locked((worktree, lock) -> Unstaging.run(worktree, lock, wanted, display()));
  }

  /** Commits the index. */
  public GitReport commit(CommitOrder order) throws IOException, InterruptedException {
    return locked((worktree, lock) -> new Committing(worktree, wait).run(lock, order));
  }

  /** Lists the branches. */
  public GitReport branches() throws IOException, InterruptedException {
    return view.guarded(() -> new Branches(view.repository(), view.dirs()).list());
  }

  /**
   * Makes a branch and checks out nothing.
   *
   * @param from the revision that it starts at; HEAD where there is none
   * @param by who is named in the log of the branch
   */
  public GitReport branch(String name, Optional<String> from, Signature by)
      throws IOException, InterruptedException {
    return view.guarded(
        () -> {
          Belonging.check(view.dirs());
          return new Branches(view.repository(), view.dirs()).create(name, from, by, wait);
        });
  }

  private interface Change {
    GitReport with(Worktree worktree, IndexLock lock) throws IOException, InterruptedException;
  }

  private GitReport locked(Change change) throws IOException, InterruptedException {
    return view.guarded(
        () -> {
          Belonging.check(view.dirs());
          try (IndexLock lock = IndexLock.take(view.dirs(), wait)) {
            return change.with(Worktree.open(view.dirs(), view.repository()), lock);
          } catch (FileSystemException e) {
            throw new GitException(
                "the repository of "
                    + root.cwd()
                    + " can't be written: "
                    + Optional.ofNullable(e.getReason()).orElse(e.getClass().getSimpleName())
                    + " ("
                    + e.getFile()
                    + ")",
                e);
          }
        });
  }

  private Wanted wanted(List<String> paths) throws PathException {
    List<byte[]> wanted = new ArrayList<>();
    String prefix = view.prefix();
    for (String path : paths) {
      String literal = root.literal(path);
      String whole =
          literal.equals(".") ? prefix : prefix.isEmpty() ? literal : prefix + "/" + literal;
      try {
        wanted.add(Name.bytesOf(whole));
      } catch (CharacterCodingException e) {
        throw new PathException(PathException.Kind.INVALID, path + " is no path", e);
      }
    }
    return new Wanted(wanted);
  }

  private PathDisplay display() {
    return new PathDisplay(view.prefix());
  }

  @Override
  public void close() {
    view.close();
  }
}
