package harness;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The built program as a process of its own. */
final class Child implements AutoCloseable {
  private static final String LISTENS = "harness listens on ";
  private static final String RUNNER_LISTENS = "harness runner listens on ";

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
    return run("serve", "--config", configuration.toString());
  }

  /** Starts {@code harness runner}. */
  static Child runner(Path socket, Path workspace) throws IOException {
    return run("runner", "--socket", socket.toString(), "--workspace", workspace.toString());
  }

  private static Child run(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("harness.program", "target/harness/bin/harness"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(name -> name.startsWith("HARNESS_"));
    return new Child(builder.start());
  }

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

  boolean isAlive() {
    return process.isAlive();
  }

  /** Waits a moment for its end; a connection may break before the process is gone. */
  boolean diesNow() throws InterruptedException {
    return process.waitFor(Caller.PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  long pid() {
    return process.pid();
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
