package harness.workspace.git;

import harness.workspace.PathException;
import harness.workspace.Way;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Optional;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.Ref;

/** A repository inside a worktree, opened as carefully as the outer one. */
final class InnerRepository {
  /** How deep repositories that lie in each other are looked into. */
  private static final int MAX_DEPTH = 8;

  private InnerRepository() {}

  /**
   * What it is at.
   *
   * @param modified whether a tracked file in it is not as its HEAD has it
   * @param untracked whether it holds untracked files
   */
  record State(ObjectId head, boolean modified, boolean untracked) {}

  /**
   * The commit that it is at; empty where there is none or it may not be opened, because what is
   * shown of the outer one must not fail over it.
   *
   * @param path its directory, relative to the top of the outer worktree
   */
  static Optional<ObjectId> head(Way top, String path) {
    try (Way directory = top.to("the repository", path)) {
      Optional<GitDirs> dirs = GitDirs.at(directory);
      if (dirs.isEmpty()) {
        return Optional.empty();
      }
      try (GitDirs opened = dirs.get()) {
        return new RefFiles(opened).ref(Constants.HEAD).map(Ref::getObjectId);
      }
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Its state; empty where there is none or it may not be opened.
   *
   * @param depth how many repositories lie around it
   */
  static Optional<State> state(Way top, String path, int depth) throws InterruptedException {
    try (Way directory = top.to("the repository", path)) {
      Optional<GitDirs> dirs = GitDirs.at(directory);
      if (dirs.isEmpty()) {
        return Optional.empty();
      }
      try (GitDirs opened = dirs.get()) {
        return state(opened, depth);
      }
    } catch (InterruptedIOException e) {
      throw interrupted(e);
    } catch (PathException | GitException e) {
      return Optional.empty();
    } catch (IOException e) {
      // One that is damaged is not the outer one's damage.
      return Optional.empty();
    }
  }

  private static InterruptedException interrupted(InterruptedIOException cause) {
    InterruptedException interrupted = new InterruptedException(cause.getMessage());
    interrupted.initCause(cause);
    return interrupted;
  }

  private static Optional<State> state(GitDirs dirs, int depth)
      throws IOException, InterruptedException {
    Optional<ObjectId> head = new RefFiles(dirs).ref(Constants.HEAD).map(Ref::getObjectId);
    if (head.isEmpty() || depth > MAX_DEPTH) {
      return head.map(id -> new State(id, false, false));
    }
    try (OpenRepository repository = OpenRepository.open(dirs);
        ObjectReader reader = repository.newObjectReader()) {
      Worktree worktree = Worktree.open(dirs, repository);
      Scanners.Found found =
          Scanners.scan(worktree.task(PathFilter.ALL, false, Submodules.Looks.AT_ALL).inner(depth));
      List<BaseDiff.Found> base =
          BaseDiff.between(reader, GitView.headTree(repository), worktree.index(), PathFilter.ALL);
      boolean modified = !base.isEmpty() || !found.worked().isEmpty();
      return Optional.of(new State(head.get(), modified, !found.untracked().isEmpty()));
    }
  }
}
