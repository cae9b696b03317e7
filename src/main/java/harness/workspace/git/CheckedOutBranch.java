package harness.workspace.git;

import harness.workspace.Handles;
import harness.workspace.PathException;
import harness.workspace.Root;
import java.io.IOException;
import java.util.Optional;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.Repository;

/** Which branch a worktree has. */
public final class CheckedOutBranch {
  private CheckedOutBranch() {}

  /**
   * Its short name; empty where none is checked out, or there is no worktree that can be read.
   *
   * @param worktree an absolute path
   * @throws PathException where that is no directory in the read root
   */
  public static Optional<String> of(Handles handles, String readRoot, String worktree)
      throws PathException {
    try (Root root = Root.open(handles, readRoot, worktree)) {
      Optional<GitDirs> found = GitDirs.at(root.way());
      if (found.isEmpty()) {
        return Optional.empty();
      }
      try (GitDirs dirs = found.get()) {
        return new RefFiles(dirs)
            .ref(Constants.HEAD)
            .filter(Ref::isSymbolic)
            .map(head -> Repository.shortenRefName(head.getTarget().getName()));
      }
    } catch (PathException e) {
      throw e;
    } catch (IOException e) {
      // What is damaged is told of by who works in it.
      return Optional.empty();
    }
  }
}
