package harness.workspace.git;

import harness.workspace.FileKind;
import harness.workspace.FileStatus;
import harness.workspace.Name;
import harness.workspace.PathException;
import harness.workspace.Way;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.eclipse.jgit.errors.ConfigInvalidException;
import org.eclipse.jgit.lib.Config;

/**
 * Whether a worktree and its git directory name each other. A {@code .git} file or link alone,
 * which anybody in the worktree can write, would make a commit write another repository of the
 * workspace.
 */
final class Belonging {
  private static final int MAX_POINTER_BYTES = 4 * 1024;

  private Belonging() {}

  /**
   * @throws PathException {@code OUTSIDE} where the repository is another one
   */
  static void check(GitDirs dirs) throws IOException {
    if (!(dirs.gitDir() == dirs.commonDir() ? holds(dirs) : isLinked(dirs))) {
      throw new PathException(
          PathException.Kind.OUTSIDE,
          "the git directory "
              + dirs.gitDir().path()
              + " does not name the worktree "
              + dirs.worktree().path()
              + " that leads to it, so nothing is changed there; 'git worktree repair', or"
              + " core.worktree in its config, makes it name it");
    }
  }

  /** The directory {@code .git} itself, or one whose configuration names the worktree. */
  private static boolean holds(GitDirs dirs) throws IOException {
    Optional<FileStatus> own = dirs.worktree().directory().status(Name.of(".git"));
    if (own.filter(status -> status.kind() == FileKind.DIRECTORY).isPresent()) {
      return true;
    }
    Optional<byte[]> text = GitFile.bytes(dirs.gitDir(), "config", SafeConfig.MAX_BYTES);
    Config config = new Config();
    try {
      config.fromText(new String(text.orElse(new byte[0]), StandardCharsets.UTF_8));
    } catch (ConfigInvalidException e) {
      throw new GitException("the configuration of " + dirs.gitDir().path() + " can't be used", e);
    }
    String named = config.getString("core", null, "worktree");
    return named != null && is(dirs, named);
  }

  /** One of those that the common directory keeps, and that names the worktree's {@code .git}. */
  private static boolean isLinked(GitDirs dirs) throws IOException {
    if (!dirs.gitDir().path().startsWith(dirs.commonDir().path() + "/worktrees/")) {
      return false;
    }
    String back = GitFile.text(dirs.gitDir(), "gitdir", MAX_POINTER_BYTES).orElse("").strip();
    return back.endsWith("/.git") && is(dirs, back.substring(0, back.length() - "/.git".length()));
  }

  private static boolean is(GitDirs dirs, String worktree) throws IOException {
    try (Way named = dirs.gitDir().to("the worktree", worktree)) {
      return named.path().equals(dirs.worktree().path());
    } catch (PathException e) {
      return false;
    }
  }
}
