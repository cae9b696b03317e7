package harness.cli;

import harness.client.JdkTransport;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which Harness a command talks to. */
final class HarnessOption {
  private static final String DEFAULT = "http://127.0.0.1:8080";

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "Where it listens; without it, what HARNESS_URL holds, else " + DEFAULT + ".")
  private Optional<String> url = Optional.empty();

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "The file with its token; without it, what HARNESS_TOKEN holds.")
  private Optional<String> tokenFile = Optional.empty();

  JdkTransport open(Surroundings surroundings) throws IOException {
    String where =
        url.or(() -> Optional.ofNullable(surroundings.environment().get("HARNESS_URL")))
            .orElse(DEFAULT);
    URI harness = uri(where);
    Optional<String> token = token(surroundings);
    try {
      return new JdkTransport(harness, token);
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException(
          List.of(tokenFile.orElse("HARNESS_TOKEN") + ": " + e.getMessage() + "; it is one line"));
    }
  }

  private static URI uri(String text) {
    try {
      URI uri = URI.create(text);
      if (uri.getHost() != null && List.of("http", "https").contains(uri.getScheme())) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      throw wrong(text);
    }
    throw wrong(text);
  }

  private static ConfigurationException wrong(String text) {
    return new ConfigurationException(List.of("--url is '" + text + "'; it is like " + DEFAULT));
  }

  private Optional<String> token(Surroundings surroundings) throws IOException {
    return tokenFile.isPresent()
        ? Optional.of(Files.readString(surroundings.directory().resolve(tokenFile.get())).strip())
        : Optional.ofNullable(surroundings.environment().get("HARNESS_TOKEN")).map(String::strip);
  }
}
