package harness.workspace.command;

import harness.workspace.Libc;
import harness.workspace.Root;
import harness.workspace.Scratch;
import harness.workspace.git.GitDirectories;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs command lines, on Linux, in a process that starts nothing else: by {@code bash}, or {@code
 * sh} where there is none, never as a login shell; each in a session of its own, with no input, and
 * with an environment of harmless variables alone. When a command ends, by itself or not,
 * everything that it started is ended within {@link Ending#AT_MOST} and {@link Supervision}'s
 * moment of patience, unless the system holds it.
 */
public final class CommandRunner {
  private static final System.Logger LOG = System.getLogger(CommandRunner.class.getName());
  private static final int TRY_AGAIN = 11;
  private static final Duration TRIAL_AT_MOST = Duration.ofSeconds(10);

  private final Settings settings;
  private final InstantSource clock;
  private final RandomGenerator names;
  private final Environment environment;
  private final String shell;
  private final Lineages lineages;
  private final Ending ending;

  /**
   * How commands are run here.
   *
   * @param scratch a directory of this process's own file system for what they write
   * @param environment the environment of this process
   * @param secrets the names of variables in it that hold keys
   * @param sandbox where there is one
   * @param memoryBytes the most that all processes of one command have in memory
   * @param container where commands end before it does
   */
  public record Settings(
      Path scratch,
      Map<String, String> environment,
      Set<String> secrets,
      Optional<Bubblewrap> sandbox,
      long memoryBytes,
      Optional<ContainerMemory> container) {
    /** Where no container is looked at. */
    public Settings(
        Path scratch,
        Map<String, String> environment,
        Set<String> secrets,
        Optional<Bubblewrap> sandbox,
        long memoryBytes) {
      this(scratch, environment, secrets, sandbox, memoryBytes, Optional.empty());
    }

    public Settings {
      environment = Map.copyOf(environment);
      secrets = Set.copyOf(secrets);
    }
  }

  /**
   * @throws UnsupportedOperationException where the system is none on which commands can be run
   */
  public CommandRunner(Settings settings, InstantSource clock, RandomGenerator names) {
    this.settings = settings;
    this.clock = clock;
    this.names = names;
    this.environment = new Environment(settings.environment(), settings.secrets());
    this.shell = shell(environment.path());
    this.lineages = new Lineages(clock);
    this.ending = new Ending(lineages, clock);
    try {
      Spawn.load();
      ProcessCalls.adoptOrphans();
    } catch (ExceptionInInitializerError e) {
      throw new UnsupportedOperationException(reason(e.getCause()), e);
    } catch (IOException e) {
      throw new UnsupportedOperationException(
          "what commands leave behind can't be found here: " + e.getMessage(), e);
    }
  }

  private static String shell(String path) {
    return find("bash", path)
        .or(() -> Optional.of(Path.of("/bin/sh")).filter(Files::isExecutable))
        .orElseThrow(() -> new UnsupportedOperationException("there is neither bash nor /bin/sh"))
        .toString();
  }

  /** The absolute path of a program. */
  public static Optional<Path> find(String program, String path) {
    return Stream.of(path.split(":"))
        .filter(directory -> directory.startsWith("/"))
        .map(directory -> Path.of(directory, program))
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst();
  }

  /**
   * Runs a command that does nothing.
   *
   * @param root any directory
   * @return why none can be run here; empty where that worked
   */
  public Optional<String> trial(Root root) {
    Order nothing = new Order(":", false, Optional.of(TRIAL_AT_MOST), _ -> true, _ -> {});
    try (Command command = start(root, nothing)) {
      return switch (command.awaitUninterruptibly()) {
        case Command.End.Exited(int code) when code == 0 -> Optional.empty();
        case Command.End.Failed(String why) -> Optional.of(why);
        case Command.End other -> Optional.of("a command that does nothing ended so: " + other);
      };
    } catch (IOException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** Whether commands see no more, and write no more, than an order lets them. */
  public boolean sandboxed() {
    return settings.sandbox().isPresent();
  }

  /**
   * Starts a command in the working directory of the root, which stays open until this returns.
   *
   * @throws IOException where it could not be started, with the reason
   */
  public Command start(Root root, Order order) throws IOException {
    Scratch output = Scratch.in(settings.scratch(), names);
    Command command = new Command(output);
    CompletableFuture<Boolean> started = new CompletableFuture<>();
    try {
      // A thread of its own: a sandbox ends with the thread that started it.
      Thread.ofPlatform()
          .daemon()
          .name("command")
          .start(() -> run(root, order, command, output, started));
      started.join();
      return command;
    } catch (CompletionException e) {
      output.close();
      throw new IOException("the command could not be started: " + reason(e.getCause()), e);
    } catch (OutOfMemoryError e) {
      output.close();
      throw new IOException(
          "the command could not be started: there is no room for its thread; try again later", e);
    }
  }

  private static String reason(@Nullable Throwable e) {
    return e instanceof Libc.Failed failed && failed.errno() == TRY_AGAIN
        ? "the system has no room for another process"
        : String.valueOf(e == null ? null : e.getMessage());
  }

  private void run(
      Root root, Order order, Command command, Scratch output, CompletableFuture<Boolean> started) {
    ProcessCalls.Pipe pipe;
    Lineage lineage;
    Guard guard;
    try {
      GitDirectories git = repository(root, order);
      guard = new Guard(git);
      pipe = ProcessCalls.pipe();
      try {
        lineage = spawn(root, order, git, pipe);
      } catch (IOException | RuntimeException | Error e) {
        Libc.close(pipe.read());
        throw e;
      } finally {
        Libc.close(pipe.write());
      }
    } catch (IOException | RuntimeException | Error e) {
      started.completeExceptionally(e);
      return;
    }
    started.complete(true);
    try {
      new Supervision(
              order,
              command,
              new Received(output, order, sandboxed()),
              new MemoryWatch(
                  lineages, lineage, settings.memoryBytes(), settings.container(), clock),
              guard,
              lineages,
              ending,
              new Stopwatch(clock))
          .follow(lineage, pipe.read());
    } catch (IOException | RuntimeException | Error e) {
      abandon(command, lineage, guard, e);
    } finally {
      lineages.remove(lineage);
    }
  }

  /** Whatever this meets, the command has an end: whoever waits for it would wait for ever. */
  private void abandon(Command command, Lineage lineage, Guard guard, Throwable why) {
    List<Integer> left = List.of(lineage.pid());
    try {
      LOG.log(Level.ERROR, "the command of process " + lineage.pid() + " is lost from sight", why);
      left = ending.end(lineage).stream().map(ProcessEntry::pid).toList();
      guard.mend();
    } catch (IOException e) {
      LOG.log(Level.ERROR, "process " + lineage.pid() + " and its own can't be ended", e);
    } finally {
      command.ended(
          new Command.End.Failed("it was ended because the tool host met a fault: " + why), left);
    }
  }

  private Lineage spawn(Root root, Order order, GitDirectories git, ProcessCalls.Pipe pipe)
      throws IOException {
    String cookie = HexFormat.of().toHexDigits(names.nextLong());
    Map<String, String> more = new HashMap<>(Map.of(Lineage.COOKIE, cookie));
    settings.sandbox().ifPresent(sandbox -> more.putAll(sandbox.environment(order.line())));
    List<byte[]> variables = environment.with(more);
    if (settings.sandbox().isEmpty()) {
      // A sandbox sees to this itself, and some need the rights of their own program for it.
      ProcessCalls.gainNoRights();
    }
    String open = Files.readSymbolicLink(Path.of("/proc/self/fd/" + pipe.read())).toString();
    return root.enter(
        entry -> {
          List<byte[]> words = words(root, entry, order, git);
          return lineages.begin(
              () -> Spawn.start(words, variables, entry.descriptor(), pipe.write()),
              open,
              Lineage.COOKIE + "=" + cookie);
        });
  }

  private List<byte[]> words(Root root, Root.Entry entry, Order order, GitDirectories git)
      throws IOException {
    if (settings.sandbox().isEmpty()) {
      return Stream.of(shell, "-c", "--", order.line())
          .map(word -> word.getBytes(StandardCharsets.UTF_8))
          .toList();
    }
    Mount cwd = new Mount(entry.path(), Mount.identity(entry.device(), entry.inode()));
    return settings
        .sandbox()
        .get()
        .words(
            shell,
            environment.home(),
            Path.of(root.readRoot()),
            cwd,
            order.writes() ? Bubblewrap.writable(entry, git) : List.of(),
            git);
  }

  /** Where the git tools would refuse the repository, it is not made writable either. */
  private GitDirectories repository(Root root, Order order) {
    if (!sandboxed() || !order.writes()) {
      return GitDirectories.NONE;
    }
    try {
      return GitDirectories.of(Path.of(root.readRoot()), Path.of(root.cwd()));
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "no repository to write for a command in " + root.cwd(), e);
      return GitDirectories.NONE;
    }
  }
}
