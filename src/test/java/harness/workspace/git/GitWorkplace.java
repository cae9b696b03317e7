package harness.workspace.git;

import harness.workspace.Handles;
import harness.workspace.Root;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;

/** Changes to the repository of a directory, each with a root of its own as a tool's call has. */
final class GitWorkplace {
  static final Instant NOW = Instant.parse("2026-02-03T04:05:06Z");
  static final Signature ADA = new Signature("Ada", "ada@example.org", NOW);
  private static final Handles HANDLES = Handles.system(new Random(3));

  private final Path readRoot;
  private final Path cwd;
  private final Duration patience;

  GitWorkplace(Path readRoot, Path cwd) {
    this(readRoot, cwd, Duration.ofSeconds(20));
  }

  /**
   * @param patience how long locks are waited for
   */
  GitWorkplace(Path readRoot, Path cwd, Duration patience) {
    this.readRoot = readRoot;
    this.cwd = cwd;
    this.patience = patience;
  }

  private interface Use {
    GitReport with(GitChanges changes) throws IOException, InterruptedException;
  }

  private GitReport use(Use use) throws IOException, InterruptedException {
    try (Root root = Root.open(HANDLES, readRoot.toString(), cwd.toString());
        GitChanges changes = GitChanges.open(root, new LockWait(patience, Instant::now))) {
      return use.with(changes);
    }
  }

  GitReport add(String... paths) throws IOException, InterruptedException {
    return use(changes -> changes.add(List.of(paths)));
  }

  GitReport restore(String... paths) throws IOException, InterruptedException {
    return use(changes -> changes.restore(List.of(paths)));
  }

  GitReport unstage(String... paths) throws IOException, InterruptedException {
    return use(changes -> changes.unstage(List.of(paths)));
  }

  GitReport commit(String message) throws IOException, InterruptedException {
    return commit(message, false);
  }

  GitReport commit(String message, boolean allowEmpty) throws IOException, InterruptedException {
    return use(
        changes -> changes.commit(new CommitOrder(message, List.of(), ADA, ADA, allowEmpty)));
  }

  GitReport branch(String name, String... from) throws IOException, InterruptedException {
    return use(changes -> changes.branch(name, List.of(from).stream().findFirst(), ADA));
  }

  GitReport branches() throws IOException, InterruptedException {
    return use(GitChanges::branches);
  }
}
