package harness.scenario;

import harness.workspace.git.GitView;
import harness.workspace.git.Signature;
import harness.workspace.git.Worktrees;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;

/** Repositories by JGit. Their commits have a fixed time, so that each play makes the same ones. */
public final class GitRepositories implements Repositories {
  private static final Signature AUTHOR =
      new Signature("Scenario", "scenario@example.invalid", Instant.EPOCH);

  @Override
  public void create(Path directory, Map<String, String> files) throws IOException {
    Worktrees.create(directory, "main", files, AUTHOR);
  }

  @Override
  public void addWorktree(Path repository, String branch, Path directory) throws IOException {
    Worktrees.add(repository, branch, directory);
  }

  @Override
  public State state(Path checkout) throws IOException, InterruptedException {
    Path real = checkout.toRealPath();
    try (GitView view = GitView.open(Objects.requireNonNull(real.getRoot()), real)) {
      return new State(view.branch().orElse("(none)"), view.status().lines());
    }
  }
}
