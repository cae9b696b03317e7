package harness.cli;

import harness.client.HarnessClient;
import harness.client.JdkTransport;
import harness.client.Timing;
import harness.client.Transport;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which Harness a command talks to. */
final class HarnessOption {
  private static final String DEFAULT = "http://127.0.0.1:8080";

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "Where it listens; without it, what HARNESS_URL holds, else " + DEFAULT + ".")
  private Optional<String> url = Optional.empty();

  @Mixin private final TokenOption token = new TokenOption();

  JdkTransport open(Surroundings surroundings) {
    String where =
        url.or(() -> Optional.ofNullable(surroundings.environment().get("HARNESS_URL")))
            .orElse(DEFAULT);
    URI harness = uri(where);
    try {
      return new JdkTransport(harness, token.token(surroundings));
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException(
          List.of("--token-file or HARNESS_TOKEN: " + e.getMessage() + "; it is one line"));
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

  /** That says at once, and not only when it is over, that it tries again. */
  static HarnessClient client(Transport transport, Timing timing, Consumer<String> log) {
    return new HarnessClient(
        transport,
        timing,
        log,
        lack -> log.accept(lack + "; --url or HARNESS_URL says where the Harness is"));
  }
}
