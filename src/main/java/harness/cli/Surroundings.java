package harness.cli;

import java.nio.file.Path;
import java.util.Map;

/**
 * What the process was started in; handed in, so that nothing reads it behind a test's back.
 *
 * @param environment its variables
 * @param directory its working directory, absolute, on the file system that all paths are of
 * @param terminal whether people watch what it prints
 */
public record Surroundings(Map<String, String> environment, Path directory, boolean terminal) {
  public Surroundings {
    environment = Map.copyOf(environment);
  }

  /** Without a terminal. */
  public Surroundings(Map<String, String> environment, Path directory) {
    this(environment, directory, false);
  }
}
