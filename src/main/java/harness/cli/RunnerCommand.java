package harness.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the tool host of a workspace container until it is told to end. */
@Command(
    name = "runner",
    description =
        "Runs the Working tools for a Harness whose configuration has tool-host: unix:PATH, until"
            + " SIGTERM, which ends what runs. It needs no key and keeps no state.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class RunnerCommand implements Callable<Integer> {
  /** What is printed in front of the socket once it listens. */
  static final String LISTENS = "harness runner listens on unix:";

  private static final String WORKSPACE = "HARNESS_WORKSPACE_ROOT";
  private static final String USUAL_WORKSPACE = "/work";

  private final Surroundings surroundings;
  private final RunnerFactory runners;
  private final PrintWriter out;

  @Option(
      names = "--socket",
      paramLabel = "PATH",
      required = true,
      description = "The Unix socket to listen at; its directory is there, without a link to it.")
  private String socket = "";

  @Option(
      names = "--workspace",
      paramLabel = "DIR",
      description =
          "The workspace root, the same path as the Harness has it by; without it, what "
              + WORKSPACE
              + " names, else "
              + USUAL_WORKSPACE
              + ".")
  private Optional<String> workspace = Optional.empty();

  RunnerCommand(Surroundings surroundings, RunnerFactory runners, PrintWriter out) {
    this.surroundings = surroundings;
    this.runners = runners;
    this.out = out;
  }

  @Override
  public Integer call() throws StartException, InterruptedException {
    Path path = absolute(socket);
    Path root =
        absolute(
            workspace.orElse(surroundings.environment().getOrDefault(WORKSPACE, USUAL_WORKSPACE)));
    if (path.startsWith(root)) {
      throw new ConfigurationException(
          List.of(
              "--socket: "
                  + path
                  + " must lie outside the workspace root "
                  + root
                  + ", or an Agent could put another in its place"));
    }
    try (RunnerFactory.Running runner = runners.start(path, root)) {
      out.println(LISTENS + path);
      out.flush();
      runner.awaitEnd();
    }
    return Program.DONE;
  }

  private Path absolute(String path) {
    return surroundings.directory().resolve(path).normalize();
  }
}
