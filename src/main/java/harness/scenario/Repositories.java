package harness.scenario;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Makes repositories and tells their state. */
public interface Repositories {
  /** Makes a repository with one commit, on the branch {@code main}, in a directory that is new. */
  void create(Path directory, Map<String, String> files) throws IOException;

  /** Makes a linked worktree of a repository, on a new branch, in a directory that is new. */
  void addWorktree(Path repository, String branch, Path directory) throws IOException;

  /** The state of a checkout. */
  State state(Path checkout) throws IOException, InterruptedException;

  /**
   * The state of a checkout.
   *
   * @param status lines as {@code git status --porcelain} has them
   */
  record State(String branch, List<String> status) {
    public State {
      status = List.copyOf(status);
    }
  }
}
