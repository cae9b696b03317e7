package harness.cli;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs a Harness until it is told to end. */
@Command(
    name = "serve",
    description = "Runs a Harness until SIGTERM, which lets running Turns finish.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class ServeCommand implements Callable<Integer> {
  /** What is printed in front of the URI once it is ready. */
  static final String LISTENS = "harness listens on ";

  private final Surroundings surroundings;
  private final ServerFactory servers;
  private final PrintWriter out;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The configuration, YAML; without it, what HARNESS_CONFIG names.")
  private Optional<String> file = Optional.empty();

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      description = "Where requests are taken; port 0 takes a free one.")
  private Optional<String> listen = Optional.empty();

  @Option(
      names = "--state",
      paramLabel = "DIR",
      description = "The directory of what survives a restart.")
  private Optional<String> state = Optional.empty();

  @Option(
      names = "--workspace",
      paramLabel = "DIR",
      description = "The workspace root, which holds the repositories.")
  private Optional<String> workspace = Optional.empty();

  @Option(
      names = "--log",
      paramLabel = "text|json|off",
      description = "How conversations are printed to standard output; text by default.")
  private Optional<String> log = Optional.empty();

  ServeCommand(Surroundings surroundings, ServerFactory servers, PrintWriter out) {
    this.surroundings = surroundings;
    this.servers = servers;
    this.out = out;
  }

  @Override
  public Integer call() throws StartException, InterruptedException {
    Map<String, String> flags = new LinkedHashMap<>();
    listen.ifPresent(text -> flags.put("--listen", text));
    state.ifPresent(text -> flags.put("--state", text));
    log.ifPresent(text -> flags.put("--log", text));
    workspace.ifPresent(text -> flags.put("--workspace", text));
    Configuration configuration = new ConfigurationReader(surroundings).read(file, flags);
    try (Server server = servers.start(configuration)) {
      out.println(LISTENS + server.uri());
      out.flush();
      server.awaitEnd();
    }
    return Program.DONE;
  }
}
