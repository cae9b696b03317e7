package harness;

import com.sun.management.OperatingSystemMXBean;
import harness.cli.Configuration;
import harness.model.http.KeySource;
import harness.model.provider.ProviderConfig;
import harness.tool.Commands;
import harness.workspace.Handles;
import harness.workspace.PathException;
import harness.workspace.Root;
import harness.workspace.command.Bubblewrap;
import harness.workspace.command.CommandRunner;
import harness.workspace.command.ContainerMemory;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Whether and how commands are run beside the keys: as configured, and as the machine can. */
final class CommandPolicy {
  private static final System.Logger LOG = System.getLogger(CommandPolicy.class.getName());
  private static final String SANDBOX = "bwrap";
  private static final String MEND =
      "install bubblewrap and allow user namespaces, or write 'sandbox: off' into the configuration"
          + " if commands may read what this Harness can";

  private final Map<String, String> environment;
  private final Handles handles;
  private final InstantSource clock;
  private final RandomGenerator random;

  /**
   * @param environment the environment of this process
   */
  CommandPolicy(
      Map<String, String> environment,
      Handles handles,
      InstantSource clock,
      RandomGenerator random) {
    this.environment = environment;
    this.handles = handles;
    this.clock = clock;
    this.random = random;
  }

  /** What is beside the commands. */
  private record Beside(
      List<Path> hidden, Set<String> secrets, boolean keys, boolean network, OptionalLong memory) {}

  /**
   * The commands of the tool host beside the Harness.
   *
   * @throws IllegalStateException where a sandbox is required and none works
   */
  Commands beside(Configuration configuration) {
    List<KeySource> keys = configuration.providers().stream().map(ProviderConfig::key).toList();
    Set<String> secrets = new HashSet<>();
    for (KeySource key : keys) {
      if (key instanceof KeySource.Environment(String variable)) {
        secrets.add(variable);
      }
    }
    boolean held =
        configuration.providers().stream().anyMatch(ProviderConfig::hasKey)
            || !configuration.git().credentials().isEmpty();
    Beside beside =
        new Beside(
            hidden(configuration, keys),
            secrets,
            held,
            configuration.sandboxNetwork(),
            configuration.limits().commandMemory());
    return commands(configuration.sandbox(), beside).get();
  }

  /**
   * The commands of tool hosts in a process where no key is.
   *
   * @param network whether they have the network of this process in the sandbox
   * @param memory the most that one command's processes have in memory, in bytes
   */
  Supplier<Commands> alone(boolean network, OptionalLong memory) {
    return commands(
        Configuration.Sandbox.AUTO, new Beside(List.of(), Set.of(), false, network, memory));
  }

  private Supplier<Commands> commands(Configuration.Sandbox wanted, Beside beside) {
    try {
      return switch (wanted) {
        case OFF -> by(runner(beside, Optional.empty()));
        case REQUIRED, AUTO -> sandboxed(wanted, beside);
      };
    } catch (UnsupportedOperationException e) {
      if (wanted == Configuration.Sandbox.REQUIRED) {
        throw new IllegalStateException("harness.sandbox is required: " + e.getMessage(), e);
      }
      return () -> Commands.refused("shell can't run on this system: " + e.getMessage());
    }
  }

  private static Supplier<Commands> by(CommandRunner runner) {
    return () -> Commands.of(runner);
  }

  private Supplier<Commands> sandboxed(Configuration.Sandbox wanted, Beside beside) {
    Optional<Path> program =
        CommandRunner.find(SANDBOX, environment.getOrDefault("PATH", "/usr/bin:/bin"));
    String lack = "there is no " + SANDBOX + " on the PATH";
    if (program.isPresent()) {
      CommandRunner runner =
          runner(
              beside,
              Optional.of(new Bubblewrap(program.get(), beside.hidden(), beside.network())));
      Optional<String> failure = trial(runner);
      if (failure.isEmpty()) {
        return by(runner);
      }
      lack = failure.get();
    }
    if (wanted == Configuration.Sandbox.REQUIRED) {
      throw new IllegalStateException(
          "harness.sandbox is required and does not work here: " + lack + "; " + MEND);
    }
    if (beside.keys()) {
      String why =
          "shell is refused: this Harness holds a provider's key and has no sandbox for commands ("
              + lack
              + "); whoever runs it can "
              + MEND;
      LOG.log(Level.WARNING, why);
      return () -> Commands.refused(why);
    }
    LOG.log(Level.INFO, "commands run without a sandbox: {0}", lack);
    return by(runner(beside, Optional.empty()));
  }

  private Optional<String> trial(CommandRunner runner) {
    try (Root root = Root.open(handles, "/", "/")) {
      return runner.trial(root);
    } catch (PathException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private CommandRunner runner(Beside beside, Optional<Bubblewrap> sandbox) {
    Path scratch = Path.of(System.getProperty("java.io.tmpdir", "/tmp")).toAbsolutePath();
    return new CommandRunner(
        new CommandRunner.Settings(
            scratch,
            environment,
            beside.secrets(),
            sandbox,
            beside.memory().orElseGet(CommandPolicy::half),
            Optional.of(new ContainerMemory(ContainerMemory.USUAL))),
        clock,
        random);
  }

  /** Of what this process could have: the machine's memory, or its container's. */
  private static long half() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize()
        / 2;
  }

  /** The state, and the files of keys; where one is a link, all that lies beside it too. */
  private static List<Path> hidden(Configuration configuration, List<KeySource> keys) {
    List<Path> hidden = new ArrayList<>(List.of(configuration.state()));
    List<Path> files = new ArrayList<>();
    for (KeySource key : keys) {
      if (key instanceof KeySource.File(Path file)) {
        files.add(file);
      }
    }
    configuration.git().credentials().forEach(credential -> files.add(credential.tokenFile()));
    for (Path file : files) {
      hidden.add(file);
      Path beside = file.getParent();
      // A mounted secret is a link to what is exchanged when it is rotated.
      if (Files.isSymbolicLink(file)
          && beside != null
          && beside.getNameCount() > 0
          && !Path.of(configuration.workspace().root()).startsWith(beside)) {
        hidden.add(beside);
      }
    }
    return hidden;
  }
}
