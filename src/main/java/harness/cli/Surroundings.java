package harness.cli;

import java.nio.file.Path;
import java.util.Map;

/**
 * What the process was started in; handed in, so that nothing reads it behind a test's back.
 *
 * @param environment its variables
 * @param directory its working directory, absolute, on the file system that all paths are of
 */
public record Surroundings(Map<String, String> environment, Path directory) {
  public Surroundings {
    environment = Map.copyOf(environment);
  }
}
