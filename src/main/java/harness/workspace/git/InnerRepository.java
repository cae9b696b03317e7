package harness.workspace.git;

import harness.workspace.Way;
import java.io.IOException;
import java.util.Optional;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Ref;

/** A repository inside a worktree, opened as carefully as the outer one, to learn its HEAD only. */
final class InnerRepository {
  private InnerRepository() {}

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
}
