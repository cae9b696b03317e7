package harness.cli;

import harness.client.Timing;
import harness.scenario.GitRepositories;
import harness.scenario.ScenarioFormatException;
import harness.scenario.ScenarioRunner;
import harness.scenario.Target;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The program's commands. Exit codes: {@value #DONE} when it did what it was asked, {@value
 * #FAILED} when it did not, {@value #MISUSED} when the command line or the configuration is wrong;
 * of a Turn also {@value #ABORTED} when it was aborted, and where it has no Settlement {@value
 * #LOST} when its conversation is not held, {@value #DENIED} when the caller is not accepted,
 * {@value #UNREACHABLE} when no Harness could be reached, {@value #REFUSED} when it was refused.
 */
public final class Program {
  static final int DONE = 0;
  static final int FAILED = 1;
  static final int MISUSED = 2;
  static final int ABORTED = 3;
  static final int LOST = 4;
  static final int DENIED = 5;
  static final int UNREACHABLE = 6;
  static final int REFUSED = 7;

  /** Where this program lies in its image: beside its runtime. */
  private static final Path HOME = Path.of(System.getProperty("java.home")).resolveSibling("");

  private final Surroundings surroundings;
  private final ServerFactory servers;
  private final RunnerFactory runners;
  private final Supplier<List<String>> self;
  private final Timing timing;
  private final PrintWriter out;
  private final PrintWriter err;

  /**
   * @param surroundings the environment and the working directory
   * @param servers starts the Harness that a command runs
   * @param runners starts the runner that a command runs
   * @param self the command line that starts this program, without a command
   * @param timing bounds waits, and tells plays of scenarios apart
   * @param out what was asked for
   * @param err what went wrong
   */
  public Program(
      Surroundings surroundings,
      ServerFactory servers,
      RunnerFactory runners,
      Supplier<List<String>> self,
      Timing timing,
      PrintWriter out,
      PrintWriter err) {
    this.surroundings = surroundings;
    this.servers = servers;
    this.runners = runners;
    this.self = self;
    this.timing = timing;
    this.out = out;
    this.err = err;
  }

  /** Runs one command to its end and returns the exit code. */
  public int run(String... arguments) {
    CommandLine line = new CommandLine(new Top());
    Map<String, Supplier<Object>> commands = commands();
    // Where one is named, the others would cost its start some tenths of a second.
    Optional.ofNullable(arguments.length == 0 ? null : commands.get(arguments[0]))
        .map(List::of)
        .orElseGet(() -> List.copyOf(commands.values()))
        .forEach(command -> line.addSubcommand(command.get()));
    line.setOut(out);
    line.setErr(err);
    line.setExecutionExceptionHandler((failure, command, parsed) -> told(failure));
    return line.execute(arguments);
  }

  private Map<String, Supplier<Object>> commands() {
    Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
    commands.put("serve", () -> new ServeCommand(surroundings, servers, out));
    commands.put(
        "scenarios",
        () ->
            new ScenariosCommand(
                surroundings, new ScenarioHost(surroundings, servers, self), this::plays, out));
    commands.put("runner", () -> new RunnerCommand(surroundings, runners, out));
    commands.put("install", () -> new InstallCommand(surroundings, HOME));
    commands.put("demo", () -> new DemoCommand(surroundings, servers, timing.clock(), out));
    commands.put("admit", () -> new AdmitCommand(surroundings, timing, out, this::log));
    commands.put("watch", () -> new WatchCommand(surroundings, timing, out, this::log));
    commands.put("abort", () -> new AbortCommand(surroundings, timing, out, this::log));
    commands.put("export", () -> new ExportCommand(surroundings, out));
    commands.put("doctor", () -> new DoctorCommand(surroundings, out));
    return commands;
  }

  private ScenarioRunner plays(Target target) {
    return new ScenarioRunner(
        target, new GitRepositories(), timing.random(), timing.clock(), ScenarioRunner.PATIENCE);
  }

  private void log(String sentence) {
    err.println(sentence);
    err.flush();
  }

  private int told(Exception failure) throws Exception {
    switch (failure) {
      case ConfigurationException wrong -> {
        wrong.faults().forEach(err::println);
        err.flush();
        return MISUSED;
      }
      case StartException unable -> {
        err.println(unable.getMessage());
        err.flush();
        return FAILED;
      }
      case IOException unable -> {
        err.println(unable);
        err.flush();
        return FAILED;
      }
      case ScenarioFormatException wrong -> {
        err.println(wrong.getMessage());
        err.flush();
        return MISUSED;
      }
      default -> throw failure;
    }
  }

  /** Says what there is when no command is named. */
  @Command(
      name = "harness",
      description = "Runs Turns of agents on real git worktrees.",
      mixinStandardHelpOptions = true,
      version = "harness 0.1.0")
  private static final class Top implements Runnable {
    @Spec private CommandLine.Model.@org.jspecify.annotations.Nullable CommandSpec spec;

    @Override
    public void run() {
      if (spec != null) {
        throw new ParameterException(spec.commandLine(), "name a command");
      }
    }
  }
}
