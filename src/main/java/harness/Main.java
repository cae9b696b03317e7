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
import harness.workspace.command.ContainerMemory;
import harness.workspace.command.OwnProcess;
import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
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
    // Beside the reading of the command line and the configuration, because both take a while.
    Thread.ofPlatform().daemon().start(OwnProcess::prepare);
    logs();
    System.exit(program(printer(System.out), printer(System.err)).run(arguments));
  }

  /** Logs as the program does, and not as the JVM does. */
  private static void logs() throws IOException {
    try (InputStream logging = Main.class.getResourceAsStream("/logging.properties")) {
      LogManager.getLogManager().readConfiguration(logging);
    }
  }

  private static PrintWriter printer(OutputStream stream) {
    return new PrintWriter(stream, true, StandardCharsets.UTF_8);
  }

  /** The program as this process can run it. */
  private static Program program(PrintWriter out, PrintWriter err) {
    return new Program(
        new Surroundings(System.getenv(), Path.of("").toAbsolutePath(), isTerminal()),
        Main::start,
        Main::startRunner,
        Main::self,
        new Timing(InstantSource.system(), Thread::sleep, new SecureRandom()),
        out,
        err);
  }

  private static boolean isTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  /** The command line of this program, for the processes of it that are started. */
  static List<String> self() {
    List<String> self = new ArrayList<>();
    self.add(ProcessHandle.current().info().command().orElse("java"));
    self.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    self.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    return self;
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
  private static RunnerFactory.Running startRunner(RunnerFactory.Setting setting)
      throws StartException {
    SecureRandom random = new SecureRandom();
    InstantSource clock = InstantSource.system();
    Handles handles = Handles.system(random);
    Supplier<Commands> commands =
        new CommandPolicy(System.getenv(), handles, clock, random)
            .alone(setting.network(), setting.commandMemory());
    String root = setting.workspace().toString();
    Runner runner;
    try {
      runner =
          Runner.start(
              setting.socket(),
              root,
              WorkingTools.specs(),
              () -> WorkingTools.inProcess(handles, root, clock, commands.get()),
              Runner.GRACE,
              new ContainerMemory(ContainerMemory.USUAL),
              clock,
              random);
    } catch (IOException e) {
      throw new StartException(String.valueOf(e.getMessage()), e);
    }
    onSignal(() -> runner.end(setting.linger()));
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
