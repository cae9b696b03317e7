package harness.cli;

import harness.scenario.Host;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Runs the servers of scenarios in processes of their own, which can be killed. */
final class ChildHost implements Host {
  private static final String LISTENS = ServeCommand.LISTENS;
  private static final int GONE_WITHIN_SECONDS = 10;

  private final Supplier<List<String>> self;

  /**
   * @param self the command line that starts this program, without a command
   */
  ChildHost(Supplier<List<String>> self) {
    this.self = self;
  }

  @Override
  public Running start(Setup setup) throws IOException {
    Path config = setup.script().resolveSibling("harness.yaml");
    Path log = setup.script().resolveSibling("harness.log");
    Files.writeString(config, ServerConfiguration.of(setup));
    List<String> command = new ArrayList<>(self.get());
    command.addAll(List.of("serve", "--config", config.toString()));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().keySet().removeIf(name -> name.startsWith(Overrides.PREFIX));
    Process process = builder.start();
    try {
      return new Child(process, listening(process, log));
    } catch (IOException unable) {
      kill(process);
      throw unable;
    }
  }

  private static URI listening(Process process, Path log) throws IOException {
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      if (line.startsWith(LISTENS)) {
        return URI.create(line.substring(LISTENS.length()));
      }
    }
    throw new IOException("the server could not start: " + Files.readString(log).strip());
  }

  private static void kill(Process process) throws IOException {
    process.destroyForcibly();
    try {
      if (!process.waitFor(GONE_WITHIN_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("process " + process.pid() + " outlives SIGKILL");
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while process " + process.pid() + " ended", ended);
    }
  }

  private record Child(Process process, URI uri) implements Running {
    @Override
    public void kill() throws IOException {
      ChildHost.kill(process);
    }
  }
}
