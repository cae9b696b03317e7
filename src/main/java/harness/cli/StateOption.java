package harness.cli;

import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which state directory a command looks at. */
final class StateOption {
  /** Where state lies unless something else is said. */
  static final String DEFAULT = "/var/lib/harness";

  @Option(
      names = "--state",
      paramLabel = "DIR",
      description =
          "The state directory; without it, what HARNESS_STATE names, else " + DEFAULT + ".")
  private Optional<String> state = Optional.empty();

  Path directory(Surroundings surroundings) {
    return surroundings
        .directory()
        .resolve(
            state
                .or(() -> Optional.ofNullable(surroundings.environment().get("HARNESS_STATE")))
                .orElse(DEFAULT));
  }
}
