package harness.cli;

import harness.workspace.UnixSocket;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
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
  private static final String COMMAND_MEMORY = "HARNESS_LIMITS_COMMAND_MEMORY";
  private static final String SANDBOX_NETWORK = "HARNESS_SANDBOX_NETWORK";
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

  @Option(
      names = "--linger",
      paramLabel = "TIME",
      description =
          "How long at most SIGTERM waits until no Harness is connected, like 11m; without it, it"
              + " ends what runs at once.")
  private Optional<String> linger = Optional.empty();

  @Option(
      names = "--command-memory",
      paramLabel = "SIZE",
      description =
          "The most that one command's processes have in memory, like 512Mi; without it, what "
              + COMMAND_MEMORY
              + " names, else half of what this process could have.")
  private Optional<String> commandMemory = Optional.empty();

  @Option(
      names = "--sandbox-network",
      paramLabel = "true|false",
      description =
          "Whether commands in the sandbox have the network of this process; without it, what "
              + SANDBOX_NETWORK
              + " says, else false.")
  private Optional<String> network = Optional.empty();

  @Option(
      names = "--check",
      description = "Starts none: ends with 0 where one listens at the socket, else with 1.")
  private boolean check;

  RunnerCommand(Surroundings surroundings, RunnerFactory runners, PrintWriter out) {
    this.surroundings = surroundings;
    this.runners = runners;
    this.out = out;
  }

  @Override
  public Integer call() throws StartException, IOException, InterruptedException {
    Path path = absolute(socket);
    if (check) {
      UnixSocket.connect(path).close();
      return Program.DONE;
    }
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
    try (RunnerFactory.Running runner = runners.start(setting(path, root))) {
      out.println(LISTENS + path);
      out.flush();
      runner.awaitEnd();
    }
    return Program.DONE;
  }

  private RunnerFactory.Setting setting(Path path, Path root) {
    return new RunnerFactory.Setting(
        path,
        root,
        linger
            .map(text -> parsed("--linger", text, DurationText.parse(text), "a time like 11m"))
            .orElse(Duration.ZERO),
        from(network, SANDBOX_NETWORK)
            .map(
                text ->
                    parsed(
                        "--sandbox-network",
                        text,
                        ConfigurationReader.truth(text),
                        "true or false"))
            .orElse(false),
        from(commandMemory, COMMAND_MEMORY)
            .map(
                text ->
                    parsed(
                        "--command-memory",
                        text,
                        ConfigurationReader.memory(text),
                        ConfigurationReader.MEMORY_FORM))
            .orElse(OptionalLong.empty()));
  }

  private Optional<String> from(Optional<String> flag, String variable) {
    return flag.or(() -> Optional.ofNullable(surroundings.environment().get(variable)));
  }

  private static <T> T parsed(String flag, String text, Optional<T> value, String form) {
    return value.orElseThrow(
        () ->
            new ConfigurationException(
                List.of(flag + " must be " + form + "; got '" + text + "'")));
  }

  private Path absolute(String path) {
    return surroundings.directory().resolve(path).normalize();
  }
}
