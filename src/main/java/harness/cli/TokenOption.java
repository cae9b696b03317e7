package harness.cli;

import java.util.Optional;
import picocli.CommandLine.Option;

/** What a command shows to a Harness: never on its command line, which every user can read. */
final class TokenOption {
  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "The file with its token; without it, what HARNESS_TOKEN holds.")
  private Optional<String> file = Optional.empty();

  Optional<String> token(Surroundings surroundings) {
    return file.map(
            name -> new GivenFile("--token-file", surroundings.directory().resolve(name)).text())
        .map(String::strip)
        // A variable that is empty is none.
        .or(
            () ->
                Optional.ofNullable(surroundings.environment().get("HARNESS_TOKEN"))
                    .map(String::strip)
                    .filter(token -> !token.isEmpty()));
  }
}
