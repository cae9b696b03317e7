package harness.workspace.command;

import harness.workspace.Handles;
import harness.workspace.PathException;
import harness.workspace.Root;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;

/** The ways in which tests run commands. */
public final class Sandboxes {
  private static final String PATH =
      Optional.ofNullable(System.getenv("PATH")).orElse("/usr/bin:/bin");

  /** What one command of a test may have in memory. */
  public static final long MEMORY_BYTES = 256L * 1024 * 1024;

  private Sandboxes() {}

  /** Commands without a sandbox. */
  public static CommandRunner none(Map<String, String> environment) {
    return runner(environment, Optional.empty());
  }

  /** Commands in bubblewrap; where it does not work here, the test is skipped. */
  public static CommandRunner bubblewrap(Map<String, String> environment, List<Path> hidden)
      throws PathException {
    return bubblewrap(environment, hidden, false);
  }

  /** The same, with a network where that is allowed. */
  public static CommandRunner bubblewrap(
      Map<String, String> environment, List<Path> hidden, boolean network) throws PathException {
    Optional<Path> program = CommandRunner.find("bwrap", PATH);
    Assumptions.assumeTrue(program.isPresent(), "there is no bwrap on the PATH");
    CommandRunner runner =
        runner(environment, Optional.of(new Bubblewrap(program.get(), hidden, network)));
    try (Root root = Root.open(Handles.system(new Random(7)), "/", "/")) {
      Optional<String> failure = runner.trial(root);
      Assumptions.assumeTrue(failure.isEmpty(), () -> "bwrap does not work here: " + failure);
    }
    return runner;
  }

  private static CommandRunner runner(
      Map<String, String> environment, Optional<Bubblewrap> sandbox) {
    return new CommandRunner(
        new CommandRunner.Settings(
            Path.of(System.getProperty("java.io.tmpdir")),
            environment,
            Set.of("LC_KEY"),
            sandbox,
            MEMORY_BYTES),
        InstantSource.system(),
        new Random());
  }
}
