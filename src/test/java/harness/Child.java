package harness;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The built program as a process of its own. */
final class Child implements AutoCloseable {
  private static final String LISTENS = "harness listens on ";
  private static final String RUNNER_LISTENS = "harness runner listens on ";

  /** How much of its log a message shows. */
  private static final int SAID_CHARS = 4_000;

  private final Process process;
  private final Output out;
  private final Output err;

  private Child(Process process) {
    this.process = process;
    this.out = new Output(process.inputReader());
    this.err = new Output(process.errorReader());
  }

  /** Starts {@code harness serve}. */
  static Child start(Path configuration) throws IOException {
    return start(configuration, "");
  }

  /**
   * The same with options of its JVM, such as {@code -Xmx256m}.
   *
   * @param options separated by blanks
   */
  static Child start(Path configuration, String options) throws IOException {
    return start(options, List.of("serve", "--config", configuration.toString()));
  }

  /** Starts {@code harness runner}. */
  static Child runner(Path socket, Path workspace) throws IOException {
    return run("runner", "--socket", socket.toString(), "--workspace", workspace.toString());
  }

  /** Runs any command. */
  static Child run(String... arguments) throws IOException {
    return start("", List.of(arguments));
  }

  private static Child start(String options, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("harness.program", "target/harness/bin/harness"));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(name -> name.startsWith("HARNESS_"));
    if (!options.isEmpty()) {
      builder.environment().put("JAVA_TOOL_OPTIONS", options);
    }
    return new Child(builder.start());
  }

  /** Options of a JVM that starts soon. */
  static final String QUICK = "-XX:TieredStopAtLevel=1";

  /** Waits until it takes requests, and says where. */
  URI listens() throws InterruptedException {
    Optional<String> line = out.await(LISTENS);
    return line.map(text -> URI.create(text.substring(LISTENS.length())))
        .orElseThrow(() -> new AssertionError("it did not start: " + err));
  }

  /** Waits until it is a runner that listens. */
  void runs() throws InterruptedException {
    if (out.await(RUNNER_LISTENS).isEmpty()) {
      throw new AssertionError("it did not start: " + err);
    }
  }

  /** Ends it as a crash does: SIGKILL. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    awaitExit();
  }

  /** Sends a signal by its name, such as {@code TERM}. */
  void signal(String name) throws IOException, InterruptedException {
    Process kill =
        new ProcessBuilder(List.of("sh", "-c", "kill -" + name + " " + process.pid()))
            .inheritIO()
            .start();
    if (kill.waitFor() != 0) {
      throw new AssertionError(
          String.format(Locale.ROOT, "process %d took no %s", process.pid(), name));
    }
  }

  /** Waits for its end and says its exit code. */
  int awaitExit() throws InterruptedException {
    if (!process.waitFor(Caller.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("it runs on after " + Caller.PATIENCE + ": " + err);
    }
    return process.exitValue();
  }

  /** Whether it ends by itself so soon. */
  boolean endsWithin(Duration time) throws InterruptedException {
    return process.waitFor(time.toNanos(), TimeUnit.NANOSECONDS);
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Waits a moment for its end; a connection may break before the process is gone. */
  boolean diesNow() throws InterruptedException {
    return endsWithin(Caller.PATIENCE);
  }

  long pid() {
    return process.pid();
  }

  /** Waits until the kernel shows it as stopped, which is {@code T}. */
  void awaitFrozen() throws IOException, InterruptedException {
    Path stat = Path.of("/proc/" + pid() + "/stat");
    long deadline = System.nanoTime() + Caller.PATIENCE.toNanos();
    while (!Files.readString(stat).contains(") T ")) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("it runs on");
      }
      Thread.onSpinWait();
    }
  }

  /** What it answers. */
  Output out() {
    return out;
  }

  /** What went wrong, for a message. */
  String said() {
    String all = err.toString();
    return all.substring(Math.max(0, all.length() - SAID_CHARS));
  }

  /** What it says of what went wrong, and its log. */
  Output err() {
    return err;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
