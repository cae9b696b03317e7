package harness.workspace.git;

import harness.workspace.FileKind;
import harness.workspace.FileStatus;
import harness.workspace.OpenDirectory;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/** What stands on the way to a path of a worktree, so that git has none of it. */
final class Obstacles {
  private final Worktree worktree;
  private final PathDisplay display;

  Obstacles(Worktree worktree, PathDisplay display) {
    this.worktree = worktree;
    this.display = display;
  }

  /** Why there is no such path; empty where all on the way to it are directories or missing. */
  Optional<String> before(byte[] path) throws IOException {
    for (int i = 0; i < path.length; i++) {
      if (path[i] != '/') {
        continue;
      }
      byte[] parent = Arrays.copyOf(path, i);
      Optional<FileKind> kind = worktree.files().status(parent).map(FileStatus::kind);
      if (kind.isEmpty()) {
        return Optional.empty();
      }
      String shown = display.shown(Wanted.text(parent));
      if (kind.get() != FileKind.DIRECTORY) {
        return Optional.of(
            "goes through " + shown + ", which is no directory now, and git follows no link");
      }
      if (isRepository(parent)) {
        return Optional.of(
            "lies in "
                + shown
                + ", a repository of its own; work in that with a working directory in it");
      }
    }
    return Optional.empty();
  }

  /** Whether a directory is another repository, and not one with files that the index has. */
  boolean isRepository(byte[] path) throws IOException {
    byte[] below = Wanted.below(path, new byte[0]);
    if (worktree.index().isBelow(worktree.index().find(below), below)) {
      return false;
    }
    try (OpenDirectory directory = worktree.files().directory(path)) {
      return Scan.isRepository(directory);
    }
  }
}
