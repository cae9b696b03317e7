package harness;

import harness.cli.Configuration;
import harness.cli.Program;
import harness.cli.RunnerFactory;
import harness.cli.Server;
import harness.cli.StartException;
import harness.cli.Surroundings;
import harness.client.Timing;
import harness.tool.Commands;
import harness.tool.WorkingTools;
import harness.tool.socket.Runner;
import harness.workspace.Handles;
import harness.workspace.command.OwnProcess;
import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.logging.LogManager;
import sun.misc.Signal;

/** Starts the program. */
public final class Main {
  /** What a process that SIGTERM ended answers. */
  private static final int ENDED_BY_SIGNAL = 143;

  private static final System.Logger LOG = System.getLogger(Main.class.getName());

  private Main() {}

  public static void main(String[] arguments) throws IOException {
    try (InputStream logging = Main.class.getResourceAsStream("/logging.properties")) {
      LogManager.getLogManager().readConfiguration(logging);
    }
    Surroundings surroundings =
        new Surroundings(System.getenv(), Path.of("").toAbsolutePath(), isTerminal());
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    Program program =
        new Program(
            surroundings,
            Main::start,
            Main::startRunner,
            self(),
            new Timing(InstantSource.system(), Thread::sleep, new SecureRandom()),
            out,
            err);
    System.exit(program.run(arguments));
  }

  private static boolean isTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  /** The command line of this program, for the processes of it that are started. */
  static List<String> self() {
    return List.of(
        ProcessHandle.current().info().command().orElse("java"),
        "--enable-native-access=ALL-UNNAMED",
        "-XX:+DisableAttachMechanism",
        "-cp",
        System.getProperty("java.class.path"),
        Main.class.getName());
  }

  /** Starts a Harness that SIGTERM and SIGINT drain; a second one ends it at once. */
  private static Server start(Configuration configuration) throws StartException {
    OwnProcess.hide()
        .ifPresent(
            why ->
                LOG.log(
                    Level.WARNING,
                    "processes of the same user can read this one and the keys in it: {0}",
                    why));
    RunningHarness harness = RunningHarness.start(configuration);
    onSignal(() -> drain(harness, configuration));
    return harness;
  }

  /** Starts a runner that SIGTERM and SIGINT end; a second one ends it at once. */
  private static RunnerFactory.Running startRunner(Path socket, Path workspace)
      throws StartException {
    SecureRandom random = new SecureRandom();
    InstantSource clock = InstantSource.system();
    Handles handles = Handles.system(random);
    Supplier<Commands> commands =
        new CommandPolicy(System.getenv(), handles, clock, random).alone();
    String root = workspace.toString();
    Runner runner;
    try {
      runner =
          Runner.start(
              socket,
              root,
              WorkingTools.specs(),
              () -> WorkingTools.inProcess(handles, root, clock, commands.get()),
              Runner.GRACE,
              clock,
              random);
    } catch (IOException e) {
      throw new StartException(String.valueOf(e.getMessage()), e);
    }
    onSignal(runner::close);
    return new RunnerFactory.Running() {
      @Override
      public void awaitEnd() throws InterruptedException {
        runner.awaitEnd();
      }

      @Override
      public void close() {
        runner.close();
      }
    };
  }

  private static void onSignal(Runnable end) {
    AtomicBoolean ending = new AtomicBoolean();
    for (String name : new String[] {"TERM", "INT"}) {
      Signal.handle(
          new Signal(name),
          _ -> {
            if (ending.getAndSet(true)) {
              LOG.log(Level.WARNING, "ended at once by a second signal; what runs is cut off");
              Runtime.getRuntime().halt(ENDED_BY_SIGNAL);
            }
            Thread.ofVirtual().start(end);
          });
    }
  }

  private static void drain(RunningHarness harness, Configuration configuration) {
    try {
      harness.drain(configuration.limits().drain());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
