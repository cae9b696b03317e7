package harness.workspace.git;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The git program in a directory, cut off from the configuration of whoever runs the tests. */
final class GitProgram {
  private static final int MAX_SECONDS = 60;

  private final Path directory;

  GitProgram(Path directory) {
    this.directory = directory;
  }

  /** Runs it and returns what it printed; fails where it does. */
  String run(String... arguments) throws IOException, InterruptedException {
    return run(true, arguments);
  }

  /** Runs it, where it may also fail. */
  void tried(String... arguments) throws IOException, InterruptedException {
    String unused = run(false, arguments);
  }

  private String run(boolean succeeds, String... arguments)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of("git", "-c", "core.quotepath=off", "-c", "protocol.file.allow=always"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().put("HOME", "/nonexistent");
    builder.environment().put("GIT_CONFIG_NOSYSTEM", "1");
    builder.environment().put("GIT_PAGER", "cat");
    for (String who : List.of("AUTHOR", "COMMITTER")) {
      builder.environment().put("GIT_" + who + "_NAME", "Ada");
      builder.environment().put("GIT_" + who + "_EMAIL", "ada@example.org");
      builder.environment().put("GIT_" + who + "_DATE", "2026-01-02T03:04:05Z");
    }
    // Warnings are no part of what it prints, and go where no pipe can fill up.
    Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(MAX_SECONDS, TimeUnit.SECONDS) || (succeeds && process.exitValue() != 0)) {
      throw new AssertionError(command + " in " + directory + " failed: " + output);
    }
    return output;
  }

  /** A new repository with the branch main and nothing in it. */
  static GitProgram init(Path directory) throws IOException, InterruptedException {
    Files.createDirectories(directory);
    GitProgram git = new GitProgram(directory);
    git.run("init", "-q", "-b", "main");
    return git;
  }
}
